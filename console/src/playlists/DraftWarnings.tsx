// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { Button } from '../components/buttons/Button.tsx';
import { plural } from '../format/numbers.ts';
import { draftWarnings, playableUrls, uncheckedUrls } from './draftWarnings.ts';
import type { PlaylistDraft } from './playlistDraft.ts';
import { checkSource, isCheckable, useKnownChecks, useSourceMix } from './useSourceCheck.ts';

const MAX_LISTED = 30;

/** What will not play as it was meant. Each entry leads to its field; saving stays possible. */
export function DraftWarnings({ draft }: { readonly draft: PlaylistDraft }) {
  const checks = useKnownChecks();
  const mix = useSourceMix(playableUrls(draft, checks));
  const warnings = draftWarnings(draft, checks, mix);
  const unchecked = uncheckedUrls(draft, checks).filter(isCheckable);
  const [isChecking, setChecking] = useState(false);
  const controller = useRef<AbortController>();
  useEffect(() => () => controller.current?.abort(), []);
  const checkAll = async () => {
    controller.current = new AbortController();
    const { signal } = controller.current;
    setChecking(true);
    for (const url of unchecked) await checkSource(url, false, signal);
    setChecking(false);
  };
  return (
    <section class="card" aria-label="Warnings">
      <header>
        <h2>Warnings</h2>
        {warnings.length > 0 ? <span class="badge warn">{warnings.length}</span> : null}
      </header>
      {warnings.length === 0 ? <p class="muted">None</p> : null}
      <ul class="draft-warnings stack tight">
        {warnings.slice(0, MAX_LISTED).map(({ path, text }) => (
          <li key={`${path} ${text}`}>
            <button type="button" class="link wraps" onClick={() => focusPath(path)}>
              {text}
            </button>
          </li>
        ))}
        {warnings.length > MAX_LISTED ? <li class="muted">{warnings.length - MAX_LISTED} more</li> : null}
      </ul>
      {unchecked.length > 0 ? (
        <div class="row between">
          <span class="small muted">{plural(unchecked.length, 'source')} not checked</span>
          <Button isSmall isBusy={isChecking} onClick={() => void checkAll().catch(() => {})}>
            Check all
          </Button>
        </div>
      ) : null}
    </section>
  );
}

// Leads to the field that a path of an error or a warning names, such as `/contents/3/cuePoints/0/spliceTime`.

const fields: Readonly<Record<string, number>> = { spliceTime: 0, maxDuration: 1, maxAds: 2 };

function focus(element: HTMLElement | null | undefined): void {
  element?.scrollIntoView({ block: 'center' });
  element?.focus({ preventScroll: true });
}

/** Expands the item, so that its fields are there. */
function focusPath(path: string): void {
  const [, item, , cue, name] = /^\/contents\/(\d+)(\/cuePoints\/(\d+)\/(\w+))?/.exec(path) ?? [];
  const card = document.querySelector<HTMLElement>(`li.item[data-place="${item}"]`);
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
