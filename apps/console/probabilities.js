'use strict';
// What might have come in place of a token, beside it.

const visible = text => text.replace(/ /g, '␣').replace(/\n/g, '↵')
  .replace(/\t/g, '⇥');

function tipRows(token) {
  const others = token.top.filter(o => o.text !== token.text);
  const all = [{...token, chosen: true}, ...others]
    .sort((a, b) => b.logprob - a.logprob);
  return all.map(o => make('tr', {className: o.chosen ? 'chosen' : ''},
    make('td', {text: visible(o.text)}),
    make('td', {text: percent(Math.exp(o.logprob))})));
}

function showTip(element) {
  const tip = $('tip');
  tip.replaceChildren(...element.tokens.map(
    token => make('table', {}, ...tipRows(token))));
  tip.hidden = false;
  const at = element.getBoundingClientRect(), size = tip.getBoundingClientRect();
  const left = Math.min(at.left, innerWidth - size.width - 8);
  const above = at.top - size.height - 6;
  tip.style.left = Math.max(8, left) + 'px';
  tip.style.top = (above >= 8 ? above : at.bottom + 6) + 'px';
}

for (const type of ['mouseover', 'focusin'])
  $('log').addEventListener(type, event => {
    if (event.target.tokens) showTip(event.target);
  });
for (const type of ['mouseout', 'focusout', 'scroll'])
  $('log').addEventListener(type, () => { $('tip').hidden = true; });
