// SPDX-License-Identifier: Apache-2.0
// The nodes of a cluster: their states, what they have served, which viewers read their manifests from them, and buttons.
import { every, json, opened } from './players.js';

const section = document.getElementById('cluster');
const events = section.querySelector('.events');
const MAX_EVENTS = 6;
/** Seconds of the number next to the bars. */
const RATE_SECONDS = 10;

const titles = { up: 'Up', starting: 'Starting', draining: 'Draining', paused: 'Paused', down: 'Down' };
const labels = { kill: 'Kill', drain: 'Drain', pause: 'Pause', resume: 'Resume', start: 'Start' };
const channels = { linear: 'Linear', live: 'Live' };
const nameOf = ({ card, format }) =>
  `${channels[card.closest('section[id][aria-labelledby]').id]} ${format.toUpperCase()}`;

let members = [];
const nodeAt = (address) => members.find((member) => address !== undefined && member.address === address);

function addEvent(text) {
  const line = document.createElement('li');
  const time = document.createElement('time');
  time.textContent = new Date().toLocaleTimeString();
  line.append(time, text);
  events.querySelector('.quiet')?.remove();
  events.prepend(line);
  while (events.children.length > MAX_EVENTS) events.lastChild.remove();
}

/** Keeps the buttons that stay, and with them the focus. */
function showButtons(card, { id, title, actions }) {
  const row = card.querySelector('.buttons');
  for (const button of [...row.children]) if (!actions.includes(button.name)) button.remove();
  for (const action of actions.filter((each) => !row.querySelector(`[name="${each}"]`))) {
    const button = document.createElement('button');
    Object.assign(button, { type: 'button', name: action, textContent: labels[action] });
    button.setAttribute('aria-label', `${labels[action]} ${title}`);
    button.addEventListener('click', async () => {
      button.disabled = true;
      await json(`cluster/${action}/${id}`, { method: 'POST' }).then(show, () => undefined);
      button.disabled = false;
    });
    row.append(button);
  }
}

function showResponses(card, responses) {
  const most = Math.max(8, ...responses);
  const bars = responses.map((count, index) => (count ? `M${index} 10V${10 - (10 * count) / most}h.75V10z` : ''));
  card.querySelector('path').setAttribute('d', bars.join(''));
  const sum = responses.slice(-RATE_SECONDS).reduce((total, count) => total + count, 0);
  card.querySelector('.rate').textContent = `${sum} responses in ${RATE_SECONDS} s`;
}

function cardOf({ id, title, kind }) {
  const found = document.getElementById(id);
  if (found) return found;
  const isNode = kind === 'node';
  const template = document.getElementById(isNode ? 'node' : 'other');
  const card = template.content.firstElementChild.cloneNode(true);
  card.id = id;
  card.setAttribute('aria-label', title);
  card.querySelector('.name').textContent = title;
  section.querySelector(isNode ? '.nodes' : '.others').append(card);
  return card;
}

function showMember(member) {
  const { title, state, reason, responses } = member;
  const card = cardOf(member);
  const text = reason ? 'Not ready' : titles[state];
  const line = card.querySelector('.state');
  if (line.textContent && line.textContent !== text) addEvent(`${title}: ${text.toLowerCase()}`);
  line.textContent = text;
  line.title = reason ?? '';
  card.dataset.state = reason ? 'unready' : state;
  showButtons(card, member);
  if (responses) showResponses(card, responses);
}

function show(status) {
  members = status.members;
  for (const member of members) showMember(member);
}

/** Which node the last manifest of each viewer came from. */
function showViewers() {
  for (const viewer of opened) {
    const node = nodeAt(viewer.servedBy);
    if (node === undefined || node.title === viewer.node) continue;
    if (viewer.node) addEvent(`${nameOf(viewer)} viewer: ${viewer.node} → ${node.title}`);
    viewer.node = node.title;
    const line = viewer.card.querySelector('.from') ?? document.createElement('span');
    line.className = 'from';
    line.dataset.node = node.id;
    line.textContent = node.title;
    viewer.card.querySelector('h3').append(line);
  }
  for (const { id, title } of members.filter(({ kind }) => kind === 'node')) {
    const names = opened.filter(({ node }) => node === title).map(nameOf);
    const chips = names.map((name) => Object.assign(document.createElement('span'), { textContent: name }));
    const line = document.querySelector(`#${id} .served`);
    if (line.textContent !== names.join('')) line.replaceChildren(...chips);
  }
}

export function watchCluster() {
  section.hidden = false;
  every(500, async () => show(await json('cluster/status')));
  setInterval(showViewers, 250);
}
