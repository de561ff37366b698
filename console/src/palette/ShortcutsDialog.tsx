// SPDX-License-Identifier: Apache-2.0

import { useMe } from '../api/me.ts';
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { pages, unavailable } from '../navigation/pages.ts';
import { channelKeys } from './channelPaths.ts';
import './palette.css';

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
export function ShortcutsDialog({ onClose }: { onClose(): void }) {
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
