// SPDX-License-Identifier: Apache-2.0
import { Dialog } from '../components/dialogs/Dialog.tsx';
import { pageKeys } from './pageKeys.ts';
import './palette.css';

const isMac = /Mac|iP(hone|ad)/.test(navigator.platform);

const groups: readonly (readonly [title: string, keys: readonly (readonly [keys: string, effect: string])[]])[] = [
  [
    'Everywhere',
    [
      [isMac ? '⌘ K' : 'Ctrl K', 'Search and actions'],
      ['?', 'These shortcuts'],
      ...Object.entries(pageKeys).map(([key, [, name]]) => [`G ${key.toUpperCase()}`, name] as const),
    ],
  ],
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
    'Playlist',
    [
      [isMac ? '⌘ Z' : 'Ctrl Z', 'Undo, with Shift redo'],
      ['← →', 'Move a break to the next cut point'],
      ['Page Up, Page Down', 'Move a break by ten cut points'],
      ['Shift and click', 'Select a range of items'],
    ],
  ],
];

/** All keyboard shortcuts. */
export const ShortcutsDialog = ({ onClose }: { onClose(): void }) => (
  <Dialog title="Keyboard shortcuts" onClose={onClose}>
    <div class="shortcuts">
      {groups.map(([title, keys]) => (
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
