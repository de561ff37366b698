// Shows the ad server's log, twice a second.
const clock = (at) => at.slice(11, 19);

function show(id, heads, rows) {
  const line = (cells, tag) => {
    const row = document.createElement('tr');
    for (const text of cells) {
      const cell = document.createElement(tag);
      cell.textContent = text;
      if (typeof text === 'number') cell.className = 'number';
      row.append(cell);
    }
    return row;
  };
  document.getElementById(id).replaceChildren(line(heads, 'th'), ...rows.map((cells) => line(cells, 'td')));
}

async function update() {
  const { requests, beacons, counts } = await (await fetch('log.json')).json();
  const events = Object.keys(Object.values(counts)[0]);
  show(
    'counts',
    ['ad', ...events],
    Object.entries(counts).map(([ad, byEvent]) => [ad, ...events.map((event) => byEvent[event])]),
  );
  show(
    'requests',
    ['UTC', 'viewer', 'break', 'ads'],
    requests.slice(0, 20).map((r) => [clock(r.at), r.viewer.slice(0, 13), r.break, r.ads.join(', ')]),
  );
  show(
    'beacons',
    ['UTC', 'viewer', 'ad', 'event'],
    beacons.slice(0, 20).map((b) => [clock(b.at), b.viewer.slice(0, 13), b.ad, b.event]),
  );
}

const again = () =>
  update()
    .catch(() => undefined)
    .finally(() => setTimeout(again, 500));
again();
