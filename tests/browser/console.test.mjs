// The web console in a headless Chromium, on a desktop and on a phone, light
// and dark. GANGLION_URL is a running server, GANGLION_SHOTS a directory for
// screenshots.
import assert from 'node:assert/strict';
import {after, before, test} from 'node:test';
import {chromium} from 'playwright-core';

const url = process.env.GANGLION_URL;
const shots = process.env.GANGLION_SHOTS;
const desktop = {width: 1280, height: 800}, phone = {width: 390, height: 844};
let browser;

before(async () => {
  browser = await chromium.launch({
    executablePath: process.env.GANGLION_CHROMIUM, args: ['--no-sandbox']});
});
after(async () => browser?.close());

/** A page that must not complain or ask anybody else. */
async function open(options = {}) {
  const context = await browser.newContext({viewport: desktop, ...options});
  const page = await context.newPage();
  page.problems = [];
  page.on('pageerror', error => page.problems.push(String(error)));
  page.on('console', line => {
    if (line.type() === 'error') page.problems.push(line.text());
  });
  page.on('request', request => {
    if (!request.url().startsWith(url) && !request.url().startsWith('data:'))
      page.problems.push('asked ' + request.url());
  });
  await page.goto(url + '/');
  await page.waitForFunction(
    () => document.getElementById('state').textContent === 'ready');
  return page;
}

async function close(page) {
  assert.deepEqual(page.problems, []);
  await page.context().close();
}

async function set(page, fields) {
  if (await page.isHidden('#controls')) await page.click('#toggle');
  for (const [id, value] of Object.entries(fields))
    if (id === 'mode') await page.selectOption('#mode', value);
    else await page.fill('#' + id, String(value));
  await page.click('#toggle');
}

const idle = page => page.waitForFunction(
  () => document.getElementById('send').textContent === 'Send');

async function ask(page, text) {
  await page.fill('#prompt', text);
  await page.press('#prompt', 'Enter');
  await page.waitForFunction(
    () => document.querySelectorAll('.turn.assistant .token').length > 3);
  await idle(page);
  return page.textContent('.turn.assistant:last-child');
}

const status = async () => (await fetch(url + '/status')).json();

async function widthFits(page) {
  return page.evaluate(
    () => document.documentElement.scrollWidth <= innerWidth);
}

for (const [name, viewport] of Object.entries({desktop, phone}))
  for (const colorScheme of ['light', 'dark'])
    test(`looks: ${name}, ${colorScheme}`, async () => {
      const page = await open({viewport, colorScheme,
                               hasTouch: name === 'phone'});
      await set(page, {max_tokens: 60, seed: 3});
      await ask(page, 'Once upon a time there was a little dog');
      await page.locator('.turn.assistant .token').nth(4).focus();
      assert.ok(await page.isVisible('#tip'));
      assert.ok(await widthFits(page));
      await page.screenshot({path: `${shots}/${name}-${colorScheme}.png`});
      await page.click('#toggle');
      assert.ok(await widthFits(page));
      await page.screenshot(
        {path: `${shots}/${name}-${colorScheme}-controls.png`});
      if (name === 'phone') {
        assert.ok(await page.isHidden('#engine'));
        await page.click('nav button[data-view=engine]');
        assert.ok(await page.isHidden('#chat'));
      }
      assert.ok(await page.isVisible('#cores'));
      await page.waitForFunction( // a few looks at the engine
        () => document.querySelector('#rate .line')?.getAttribute('d')
          .split('L').length > 2);
      assert.ok(await widthFits(page));
      await page.screenshot(
        {path: `${shots}/${name}-${colorScheme}-engine.png`});
      await close(page);
    });

test('an answer streams, and each token tells its probability', async () => {
  const page = await open();
  await set(page, {max_tokens: 40, temperature: 0});
  const answer = await ask(page, 'Once upon a time');
  assert.ok(answer.length > 20);
  const token = page.locator('.turn.assistant .token').nth(5);
  await token.hover();
  const tip = await page.textContent('#tip');
  assert.match(tip, /\d %/);
  const shares = [...tip.matchAll(/(\d+(?:\.\d)?) %/g)].map(m => Number(m[1]));
  assert.ok(shares.length >= 5);
  assert.deepEqual(shares, [...shares].sort((a, b) => b - a));
  assert.ok(shares.reduce((a, b) => a + b) < 102);
  assert.equal(await page.locator('#tip .chosen').count(), 1);
  await page.mouse.move(1, 1);
  assert.ok(await page.isHidden('#tip'));
  assert.match(await page.textContent('#usage'), /tokens\/s/);
  await close(page);
});

test('sampling controls reach the server', async () => {
  const page = await open();
  const asked = [];
  page.on('request', request => {
    if (request.method() === 'POST') asked.push(request.postDataJSON());
  });
  await set(page, {max_tokens: 12, temperature: 1.5, top_p: 0.9, top_k: 20,
                   min_p: 0.01, repetition_penalty: 1.1, seed: 7,
                   system: 'Be kind', stop: 'zzz'});
  const first = await ask(page, 'Tom');
  await page.click('#clear');
  const second = await ask(page, 'Tom');
  assert.equal(first, second); // the seed
  assert.equal(asked.length, 2);
  const body = asked[0];
  assert.equal(body.max_tokens, 12);
  assert.equal(body.temperature, 1.5);
  assert.equal(body.top_p, 0.9);
  assert.equal(body.top_k, 20);
  assert.equal(body.min_p, 0.01);
  assert.equal(body.repetition_penalty, 1.1);
  assert.equal(body.seed, 7);
  assert.deepEqual(body.stop, ['zzz']);
  assert.deepEqual(body.messages.map(m => m.role), ['system', 'user']);
  await set(page, {mode: 'completion'});
  await ask(page, 'Once');
  assert.equal(asked[2].prompt, 'Once');
  await close(page);
});

test('a conversation keeps its turns', async () => {
  const page = await open();
  const asked = [];
  page.on('request', request => {
    if (request.method() === 'POST') asked.push(request.postDataJSON());
  });
  await set(page, {max_tokens: 10, temperature: 0});
  await ask(page, 'One');
  await ask(page, 'Two');
  assert.deepEqual(asked[1].messages.map(m => m.role),
                   ['user', 'assistant', 'user']);
  await close(page);
});

test('stopping an answer stops the engine', async () => {
  const page = await open();
  await set(page, {max_tokens: 100000, temperature: 1});
  await page.evaluate(() => { // the model's own end would come too soon
    const original = window.fetch;
    window.fetch = (route, options) => original(route, options?.body
      ? {...options, body: JSON.stringify(
          {...JSON.parse(options.body), ignore_eos: true})}
      : options);
  });
  await page.fill('#prompt', 'Go on');
  await page.press('#prompt', 'Enter');
  await page.waitForFunction(
    () => document.querySelectorAll('.turn.assistant .token').length > 0);
  await page.click('#send');
  await idle(page);
  for (let i = 0; (await status()).requests.running > 0; ++i)
    assert.ok(i < 1000);
  await close(page);
});

test('a refusal is shown', async () => {
  const page = await open();
  await set(page, {max_tokens: 10, temperature: -1});
  await page.fill('#prompt', 'Hello');
  await page.press('#prompt', 'Enter');
  await page.waitForSelector('.turn.failed');
  assert.match(await page.textContent('.turn.failed'), /temperature/);
  page.problems = page.problems.filter(p => !/400/.test(p));
  await close(page);
});

test('what a model writes stays text', async () => {
  const page = await open();
  await page.evaluate(() => {
    const turn = addTurn('assistant');
    turn.append(tokenElement('<img src=x onerror=alert(1)>', [
      {text: '<b>', logprob: -1, top: [{text: '<i>', logprob: -2}]}]));
  });
  assert.equal(await page.locator('.turn img, .turn b').count(), 0);
  await page.locator('.token').hover();
  assert.equal(await page.locator('#tip b, #tip i').count(), 0);
  await close(page);
});

test('the engine is watched', async () => {
  const page = await open();
  await set(page, {max_tokens: 30});
  await ask(page, 'Once');
  const s = await status();
  await page.waitForFunction(generated => [
    ...document.querySelectorAll('.figure')].some(
      f => f.textContent.startsWith(String(generated))), s.tokens.generated);
  assert.equal(await page.locator('#cores > div').count(), s.cores.length);
  const actors = await page.textContent('#actors');
  for (const actor of ['engine', 'scheduler', 'core 0'])
    assert.ok(actors.includes(actor));
  assert.match(await page.textContent('#phases'), /decode/);
  assert.match(await page.textContent('#kv'), /of \d+ in use/);
  await close(page);
});

test('light and dark can be chosen', async () => {
  const page = await open({colorScheme: 'light'});
  const colour = () => page.evaluate(
    () => getComputedStyle(document.body).backgroundColor);
  const light = await colour();
  await page.click('#theme');
  const dark = await colour();
  assert.notEqual(light, dark);
  await page.click('#theme');
  assert.equal(await colour(), light);
  await close(page);
});
