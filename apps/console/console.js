'use strict';
// What all of the console shares: elements, numbers, the look.

const $ = id => document.getElementById(id);

/** An element with a class, a text and children. */
function make(tag, {className, text, ...rest} = {}, ...children) {
  const out = document.createElement(tag);
  if (className) out.className = className;
  if (text !== undefined) out.textContent = text;
  Object.assign(out, rest);
  out.append(...children);
  return out;
}

// --- numbers ---------------------------------------------------------------

const percent = p => (100 * p).toFixed(p >= 0.1 || !p ? 0 : 1) + ' %';

function bytes(n) {
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let unit = 0;
  for (; n >= 1024 && unit < units.length - 1; ++unit) n /= 1024;
  return n.toFixed(n < 10 && unit > 0 ? 1 : 0) + ' ' + units[unit];
}

function time(seconds) {
  const ms = seconds * 1000;
  if (ms >= 1000) return seconds.toFixed(2) + ' s';
  if (ms >= 1) return ms.toFixed(ms < 10 ? 1 : 0) + ' ms';
  return (ms * 1000).toFixed(0) + ' µs';
}

const count = n => n >= 1e6 ? (n / 1e6).toFixed(1) + ' M'
                 : n >= 1e4 ? (n / 1e3).toFixed(1) + ' k' : String(n);

// --- look ------------------------------------------------------------------

function showView(view) {
  document.body.dataset.view = view;
  for (const button of document.querySelectorAll('nav button'))
    if (button.dataset.view === view) button.setAttribute('aria-current', 'page');
    else button.removeAttribute('aria-current');
}

for (const button of document.querySelectorAll('nav button'))
  button.addEventListener('click', () => showView(button.dataset.view));
showView('chat');

$('theme').addEventListener('click', () => {
  const root = document.documentElement;
  const dark = root.dataset.theme
    ? root.dataset.theme === 'dark'
    : matchMedia('(prefers-color-scheme: dark)').matches;
  root.dataset.theme = dark ? 'light' : 'dark';
});
