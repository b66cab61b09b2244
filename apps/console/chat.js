'use strict';
// A chat over the server's own OpenAI routes.

const turns = [];   // {role, content}
let running = null; // AbortController of the answer under way

function addTurn(role, text = '') {
  $('empty').hidden = true;
  const out = make('div', {className: 'turn ' + role, text});
  $('log').append(out);
  scrollDown();
  return out;
}

function scrollDown() {
  $('log').scrollTop = $('log').scrollHeight;
}

function numberOf(id) {
  const text = $(id).value.trim();
  return text === '' ? undefined : Number(text);
}

function samplingFields() {
  const out = {max_tokens: numberOf('max_tokens') ?? 200};
  for (const id of ['temperature', 'top_p', 'top_k', 'min_p',
                    'repetition_penalty', 'seed']) {
    const value = numberOf(id);
    if (value !== undefined) out[id] = value;
  }
  if ($('stop').value) out.stop = [$('stop').value];
  return out;
}

/** The route and body of a request for what follows `text`. */
function requestFor(text) {
  const common = {...samplingFields(), stream: true, timings: true,
                  stream_options: {include_usage: true}};
  if ($('mode').value === 'completion')
    return ['/v1/completions', {...common, prompt: text, logprobs: 5}];
  const system = $('system').value.trim();
  const messages = [...turns, {role: 'user', content: text}];
  if (system) messages.unshift({role: 'system', content: system});
  return ['/v1/chat/completions',
          {...common, messages, logprobs: true, top_logprobs: 5}];
}

/** The data of each event of a response, parsed, as it comes. */
async function* eventsOf(response) {
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  let rest = '';
  for (;;) {
    const {done, value} = await reader.read();
    if (done) return;
    rest += value;
    for (let end; (end = rest.indexOf('\n\n')) >= 0;) {
      const data = rest.slice(0, end).replace(/^data: /, '');
      rest = rest.slice(end + 2);
      if (data === '[DONE]') return;
      yield JSON.parse(data);
    }
  }
}

/** Tokens of a chunk in one form: {text, logprob, top: [{text, logprob}]}. */
function tokensOf(choice) {
  const list = choice.logprobs;
  if (list?.content)
    return list.content.map(t => ({
      text: t.token, logprob: t.logprob,
      top: t.top_logprobs.map(o => ({text: o.token, logprob: o.logprob}))}));
  if (list?.tokens)
    return list.tokens.map((text, i) => ({
      text, logprob: list.token_logprobs[i],
      top: Object.entries(list.top_logprobs?.[i] ?? {})
        .map(([other, logprob]) => ({text: other, logprob}))}));
  return [];
}

/** A piece of an answer, with what might have come in its place. */
function tokenElement(piece, tokens) {
  const out = make('span', {className: 'token', text: piece, tabIndex: 0});
  const p = Math.exp(Math.min(...tokens.map(t => t.logprob)));
  out.style.backgroundColor =
    `rgba(var(--token), ${(0.28 * (1 - p)).toFixed(3)})`;
  out.tokens = tokens;
  return out;
}

/** Puts an answer's chunks into `turn`; returns its text. */
async function show(response, turn) {
  let text = '';
  for await (const chunk of eventsOf(response)) {
    if (chunk.error) throw new Error(chunk.error.message);
    for (const choice of chunk.choices) {
      const piece = choice.delta ? choice.delta.content ?? '' : choice.text;
      const tokens = tokensOf(choice);
      text += piece;
      if (piece)
        turn.append(tokens.length ? tokenElement(piece, tokens) : piece);
    }
    if (chunk.timings) showTimings(chunk.timings);
    scrollDown();
  }
  return text;
}

function showTimings(t) {
  const rate = t.tokens_per_second;
  $('usage').textContent =
    `${rate.toFixed(rate < 100 ? 1 : 0)} tokens/s · ${time(t.ttft_ms / 1000)}`;
  $('usage').title = 'Tokens per second · time to the first token';
}

async function errorOf(response) {
  const text = await response.text();
  try {
    const body = JSON.parse(text);
    return body.error?.message ?? body.message ?? text;
  } catch {
    return text || response.statusText;
  }
}

async function ask(text) {
  const [route, body] = requestFor(text);
  addTurn('user', text);
  const turn = addTurn('assistant');
  running = new AbortController();
  $('send').textContent = 'Stop';
  $('usage').textContent = '';
  try {
    const response = await fetch(route, {
      method: 'POST', headers: {'Content-Type': 'application/json'},
      body: JSON.stringify(body), signal: running.signal});
    if (!response.ok) throw new Error(await errorOf(response));
    const answer = await show(response, turn);
    turns.push({role: 'user', content: text},
               {role: 'assistant', content: answer});
  } catch (error) {
    if (error.name === 'AbortError') {
      turn.append(make('span', {className: 'muted', text: ' (stopped)'}));
    } else {
      turn.classList.add('failed');
      turn.append(error.message);
    }
  } finally {
    running = null;
    $('send').textContent = 'Send';
  }
}

$('form').addEventListener('submit', event => {
  event.preventDefault();
  if (running) return running.abort();
  const text = $('prompt').value;
  if (!text.trim()) return;
  $('prompt').value = '';
  ask(text);
});

$('prompt').addEventListener('keydown', event => {
  if (event.key === 'Enter' && !event.shiftKey && !event.isComposing) {
    event.preventDefault();
    if (!running) $('form').requestSubmit();
  }
});

$('clear').addEventListener('click', () => {
  running?.abort();
  turns.length = 0;
  document.querySelectorAll('.turn').forEach(turn => turn.remove());
  $('empty').hidden = false;
  $('usage').textContent = '';
});

$('toggle').addEventListener('click', () => {
  const controls = $('controls');
  controls.hidden = !controls.hidden;
  $('toggle').setAttribute('aria-expanded', String(!controls.hidden));
});
