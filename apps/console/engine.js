'use strict';
// What /status tells of the engine, once a second.

const history = []; // {at, generated, steps, seconds}
const kept = 120;

function figure(value, name) {
  return make('div', {className: 'figure'}, make('b', {text: value}), name);
}

function pair(name, value) {
  return make('div', {className: 'pair'}, make('span', {text: name}),
              make('span', {text: value}));
}

function bar(share) {
  const fill = make('i');
  fill.style.width = (100 * Math.min(Math.max(share, 0), 1)).toFixed(1) + '%';
  return make('div', {className: 'bar'}, fill);
}

function row(cell, ...texts) {
  return make('tr', {}, ...texts.map(text => make(cell, {text})));
}

/** A line of `values` with the highest of them written beside it. */
function plot(svg, values, label) {
  const space = 'http://www.w3.org/2000/svg';
  const most = Math.max(...values, 0);
  const shown = Math.max(values.length, 20);
  const x = i => (240 * (i + shown - values.length) / (shown - 1)).toFixed(1);
  const y = v => (46 - 42 * (most > 0 ? v / most : 0)).toFixed(1);
  const points = values.map((v, i) => 'L' + x(i) + ' ' + y(v)).join('');
  const path = (className, d) => {
    const out = document.createElementNS(space, 'path');
    out.setAttribute('class', className);
    out.setAttribute('d', d);
    return out;
  };
  svg.replaceChildren(path('base', 'M0 47L240 47'));
  if (values.length)
    svg.append(path('area', `M${x(0)} 47${points}L240 47Z`),
               path('line', 'M' + points.slice(1)));
  svg.previousElementSibling.dataset.most = label(most);
}

function rates() {
  const out = {tokens: [], step: []};
  for (let i = 1; i < history.length; ++i) {
    const a = history[i - 1], b = history[i];
    out.tokens.push((b.generated - a.generated) / (b.at - a.at) * 1000);
    out.step.push(b.steps > a.steps
      ? (b.seconds - a.seconds) / (b.steps - a.steps) : 0);
  }
  return out;
}

function showPhases(phases) {
  $('phases').replaceChildren(
    row('th', 'phase', 'steps', 'mean', 'rows/step'),
    ...Object.entries(phases).map(([name, p]) => row('td', name, count(p.steps),
      p.steps ? time(p.seconds / p.steps) : '–',
      p.steps ? (p.rows / p.steps).toFixed(1) : '–')));
}

function coreElement(core, elapsed, before) {
  const busy = before && elapsed > 0
    ? (core.busy_seconds - before.busy_seconds) / elapsed : 0;
  return make('div', {className: 'core'},
    pair(`core ${core.rank} · ${core.threads} thread${core.threads === 1 ? '' : 's'}` +
         (core.ready ? '' : ' · not ready'), 'busy ' + percent(Math.min(busy, 1))),
    bar(busy),
    pair('memory', bytes(core.memory_bytes) + ' of ' + bytes(core.budget_bytes)),
    bar(core.budget_bytes ? core.memory_bytes / core.budget_bytes : 0),
    pair('last step', time(core.last_step_ms / 1000)),
    pair('in collectives', time(core.collective_seconds)));
}

let last = null;

function showStatus(s) {
  const at = performance.now();
  $('model').textContent = s.model + (s.family ? ' · ' + s.family : '');
  $('state').textContent = s.state;
  $('state').className = 'badge ' + (s.state === 'ready' ? 'good'
    : s.state === 'failed' || s.state === 'stopped' ? 'bad' : '');
  $('state').title = s.message;
  history.push({at, generated: s.tokens.generated, steps: s.steps.count,
                seconds: s.steps.seconds});
  if (history.length > kept + 1) history.shift();
  const {tokens, step} = rates();
  $('figures').replaceChildren(
    figure(count(s.requests.running), 'running'),
    figure(count(s.requests.waiting), 'waiting'),
    figure((tokens.at(-1) ?? 0).toFixed(0), 'tokens/s'),
    figure(count(s.tokens.generated), 'tokens out'),
    figure(count(s.tokens.prompt), 'tokens in'),
    figure(s.cache.queries ? percent(s.cache.hits / s.cache.queries) : '–',
           'prefix hits'));
  plot($('rate'), tokens, most => 'most ' + most.toFixed(0));
  plot($('steps'), step, most => 'most ' + time(most));
  showPhases(s.steps.phases);
  const used = s.kv.blocks - s.kv.free;
  $('kv').replaceChildren(
    pair(`${used} of ${s.kv.blocks} in use`,
         `${s.requests.sequences} sequences · ${s.preemptions} preempted`),
    bar(s.kv.blocks ? used / s.kv.blocks : 0));
  const elapsed = last ? (at - last.at) / 1000 : 0;
  $('cores').replaceChildren(...s.cores.map(
    (core, i) => coreElement(core, elapsed, last?.status.cores[i])));
  $('actors').replaceChildren(row('th', 'actor', 'waiting messages'),
    ...s.actors.map(a => row('td', a.name, a.mailbox)));
  if (!last && !s.chat) $('mode').value = 'completion';
  if (s.state !== 'loading') last = {at, status: s};
}

async function poll() {
  try {
    const response = await fetch('status');
    if (!response.ok) throw new Error(response.statusText);
    showStatus(await response.json());
  } catch {
    $('state').textContent = 'no answer';
    $('state').className = 'badge bad';
  }
  setTimeout(poll, document.hidden ? 5000 : 1000);
}

poll();
