// SPDX-License-Identifier: Apache-2.0
// Shows the log of the ad server and updates it twice a second.
const clock = (at) => at.slice(11, 19);
/** `firstQuartile` → `first quartile` */
const words = (event) => event.replace(/[A-Z]/g, (letter) => ` ${letter.toLowerCase()}`);

function show(id, headings, rows) {
  const line = (cells, tag) => {
    const row = document.createElement('tr');
    for (const [column, text] of cells.entries()) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      // Narrow pages show it in place of the head.
      cell.dataset.label = headings[column];
      if (typeof text === 'number') cell.className = 'number';
      row.append(cell);
    }
    return row;
  };
  document.getElementById(id).replaceChildren(line(headings, 'th'), ...rows.map((cells) => line(cells, 'td')));
}

async function update() {
  const { requests, beacons, counts } = await (await fetch('log.json')).json();
  const events = Object.keys(Object.values(counts)[0]);
  show(
    'counts',
    ['Ad', ...events.map(words)],
    Object.entries(counts).map(([ad, byEvent]) => [ad, ...events.map((event) => byEvent[event])]),
  );
  show(
    'requests',
    ['UTC', 'Viewer', 'Break', 'Ads'],
    requests.slice(0, 20).map((r) => [clock(r.at), r.viewer.slice(0, 8), r.break, r.ads.join(', ')]),
  );
  show(
    'beacons',
    ['UTC', 'Viewer', 'Ad', 'Event'],
    beacons.slice(0, 20).map((b) => [clock(b.at), b.viewer.slice(0, 8), b.ad, words(b.event)]),
  );
}

const poll = () =>
  update()
    .catch(() => undefined)
    .finally(() => setTimeout(poll, 500));
poll();
