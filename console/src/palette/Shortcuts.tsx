// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { lazily } from '../components/feedback/lazily.tsx';
import { useHashPath } from '../navigation/hashLocation.ts';
import { pageKeys } from './pageKeys.ts';
import { onPaletteOpen } from './paletteOpening.ts';

const CommandPalette = lazily(async () => (await import('./CommandPalette.tsx')).CommandPalette, true);
const ShortcutsDialog = lazily(async () => (await import('./ShortcutsDialog.tsx')).ShortcutsDialog, true);

/** The time for the second key of a sequence. */
const SEQUENCE_MS = 1500;

const isTyping = (target: EventTarget | null): boolean =>
  target instanceof HTMLElement && target.closest('input, textarea, select, [contenteditable], dialog') !== null;

/** Listens to the keys that work on every page, and shows what they open. */
export function Shortcuts() {
  const [shown, setShown] = useState<'palette' | 'help'>();
  const [, navigate] = useHashPath();
  useEffect(() => {
    let startedAt = Number.NEGATIVE_INFINITY;
    const controller = new AbortController();
    const press = (event: KeyboardEvent) => {
      const { key, ctrlKey, metaKey, altKey } = event;
      if ((ctrlKey || metaKey) && !altKey && key.toLowerCase() === 'k') {
        event.preventDefault();
        // A dialog with a form keeps its input.
        if (document.querySelector('dialog[open]:not(.palette)') === null) setShown('palette');
        return;
      }
      if (ctrlKey || metaKey || altKey || isTyping(event.target)) return;
      const page = event.timeStamp - startedAt < SEQUENCE_MS ? pageKeys[key] : undefined;
      startedAt = key === 'g' ? event.timeStamp : Number.NEGATIVE_INFINITY;
      if (page !== undefined) navigate(page[0]);
      if (key === '?') setShown('help');
    };
    addEventListener('keydown', press, { signal: controller.signal });
    const end = onPaletteOpen(() => setShown('palette'));
    return () => {
      controller.abort();
      end();
    };
  }, []);
  const close = () => setShown(undefined);
  if (shown === 'palette') return <CommandPalette onClose={close} />;
  return shown === 'help' ? <ShortcutsDialog onClose={close} /> : null;
}
