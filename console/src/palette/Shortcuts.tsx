// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { useMe } from '../api/me.ts';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { useHashPath } from '../navigation/hashLocation.ts';
import { lazily } from '../navigation/lazily.tsx';
import { pages, unavailable } from '../navigation/pages.ts';
import { createStore } from '../stores/createStore.ts';
import { channelKeys, channelPath, isChannelKey, isChannelShown } from './channelPaths.ts';
import './palette.css';

const CommandPalette = lazily(async () => (await import('./CommandPalette.tsx')).CommandPalette);

/** The time for the second key of a sequence. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable]') !== null;
/** A dialog keeps its input and its place on the page. */
const isDialogOpen = (): boolean => document.querySelector('dialog[open]') !== null;

/** Listens to the keys that work on every page, and shows what they open. */
export function Shortcuts() {
  /** The palette, with the text that it starts with, or the list of shortcuts. */
  const [shown, setShown] = useState<{ readonly text: string } | 'help'>();
  const [, navigate] = useHashPath();
  const me = useMe();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const controller = new AbortController();
    /** @returns whether the key means something after G */
    const go = (key: string): boolean => {
      const page = pages.find((each) => each.key === key);
      if (page !== undefined && unavailable(page, me) === undefined) navigate(page.path);
      if (!isChannelKey(key)) return page !== undefined;
      const path = channelPath(key);
      if (path !== undefined) navigate(path);
      else if (!isChannelShown()) setShown({ text: channelKeys[key][1] });
      return true;
    };
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        if (!isDialogOpen()) setShown({ text: '' });
        return;
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target) || isDialogOpen()) {
        startedAt = Number.NEGATIVE_INFINITY;
        return;
      }
      const isSecond = event.timeStamp - startedAt < SEQUENCE_MS;
      startedAt = key === 'g' && !isSecond ? event.timeStamp : Number.NEGATIVE_INFINITY;
      const isDone = isSecond && go(key);
      if (!isDone && key === '?') setShown('help');
      // The schedule has keys of its own.
      if (!isDone && key !== '?') return;
      event.preventDefault();
      event.stopPropagation();
    };
    addEventListener('keydown', press, { signal: controller.signal, capture: true });
    const end = presses.listen(() => setShown({ text: '' }));
    return () => {
      controller.abort();
      end();
    };
  }, [me]);
  const close = () => setShown(undefined);
  if (shown === 'help') return <ShortcutsDialog onClose={close} />;
  return shown === undefined ? null : <CommandPalette initialText={shown.text} onClose={close} />;
}

/** How often the search button in the navigation was pressed, which is outside of the palette. */
const presses = createStore(0);

export const openPalette = (): void => presses.write(presses.read() + 1);

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

type Group = readonly [title: string, keys: readonly (readonly [keys: string, effect: string])[]];

const afterG = (key: string): string => `G then ${key.toUpperCase()}`;

const groups: readonly Group[] = [
  [
    'Everywhere',
    [
      [isMac ? '⌘ K' : 'Ctrl K', 'Search and actions'],
      ['?', 'These shortcuts'],
      ['Esc', 'Close a dialog or a hint'],
    ],
  ],
  ['Channel', Object.entries(channelKeys).map(([key, [name]]) => [afterG(key), name] as const)],
  [
    'Schedule',
    [
      ['← → ↑ ↓', 'Move'],
      ['Home End', 'Ends of the row'],
      ['Page Up, Page Down', 'Time before and after'],
      ['T', 'Now'],
    ],
  ],
  [
    'Programme schedule',
    [
      ['← → ↑ ↓', 'Move the focus'],
      ['Shift ↑ ↓', 'Move a programme by 5 minutes, with Alt by a second'],
      ['Shift ← →', 'Move a programme by a day'],
      [isMac ? '⌘ C, ⌘ V' : 'Ctrl C, Ctrl V', 'Copy and paste a programme'],
      ['Delete', 'Remove a programme'],
    ],
  ],
  [
    'Playlists and settings',
    [
      [isMac ? '⌘ Z' : 'Ctrl Z', 'Undo, with Shift redo'],
      ['← →', 'Move a break to the next cut point'],
      ['Page Up, Page Down', 'Move a break by ten cut points'],
      ['Shift and click', 'Select a range of items'],
    ],
  ],
];

/** All keyboard shortcuts. */
function ShortcutsDialog({ onClose }: { onClose(): void }) {
  const me = useMe();
  const listed = pages.filter((page) => unavailable(page, me) === undefined);
  const ofPages: Group = ['Pages', listed.map(({ key, title }) => [afterG(key), title] as const)];
  return (
    <Dialog title="Keyboard shortcuts" onClose={onClose}>
      <div class="shortcuts">
        {[...groups.slice(0, 1), ofPages, ...groups.slice(1)].map(([title, keys]) => (
          <section key={title}>
            <h3>{title}</h3>
            <dl>
              {keys.map(([key, effect]) => (
                <div key={key + effect}>
                  <dt>
                    <kbd>{key}</kbd>
                  </dt>
                  <dd>{effect}</dd>
                </div>
              ))}
            </dl>
          </section>
        ))}
      </div>
    </Dialog>
  );
}
