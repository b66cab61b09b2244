// Where the server under test is, and what its greedy model says.
export const origin = process.env.GANGLION_URL;
export const model = process.env.GANGLION_MODEL;
export const prompt = "Once upon a time";
export const continuation = ", there was a little";
