// SPDX-License-Identifier: Apache-2.0
// The commands of the tour, each with a button that copies it, and the addresses of the demo.
const { steps, places } = await (await fetch('tour.json')).json();

const step = ({ title, text, commands }) => {
  const section = document.querySelector('template').content.cloneNode(true);
  section.querySelector('h2').textContent = title;
  section.querySelector('p').textContent = text;
  section.querySelector('pre').textContent = commands;
  const button = section.querySelector('button');
  button.setAttribute('aria-label', `Copy: ${title}`);
  button.addEventListener('click', async () => {
    await navigator.clipboard.writeText(`${commands}\n`);
    button.textContent = 'Copied';
  });
  return section;
};
document.querySelector('main').append(...steps.map(step));

for (const [name, text] of Object.entries(places)) {
  const row = document.querySelector('table').insertRow();
  row.insertCell().textContent = name;
  const cell = row.insertCell();
  if (!text.startsWith('http')) cell.textContent = text;
  else cell.append(Object.assign(document.createElement('a'), { href: text, textContent: text }));
}
