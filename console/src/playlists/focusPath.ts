// SPDX-License-Identifier: Apache-2.0
// Leads to the field that a path of an error or a warning names, such as `/contents/3/cuePoints/0/spliceTime`.

const fields: Readonly<Record<string, number>> = { spliceTime: 0, maxDuration: 1, maxAds: 2 };

function focus(element: HTMLElement | null | undefined): void {
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}

/** Expands the item, so that its fields are there. */
export function focusPath(path: string): void {
  const [, item, , cue, name] = /^\/contents\/(\d+)(\/cuePoints\/(\d+)\/(\w+))?/.exec(path) ?? [];
  const card = document.querySelector<HTMLElement>(`li.item[data-index="${item}"]`);
  if (!card) {
    focus(document.querySelector<HTMLElement>('main .columns button'));
    return;
  }
  const header = card.querySelector<HTMLElement>('h3 button');
  if (header?.getAttribute('aria-expanded') === 'false') header.click();
  requestAnimationFrame(() => {
    const row = cue === undefined ? undefined : card.querySelectorAll('.cue-row')[Number(cue)];
    const field = row
      ? row.querySelectorAll<HTMLElement>('input')[fields[name ?? ''] ?? 0]
      : card.querySelector<HTMLElement>('.field input');
    focus(field ?? header);
  });
}
