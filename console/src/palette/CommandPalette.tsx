// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useMemo, useRef, useState } from 'preact/hooks';
import { useMe } from '../api/me.ts';
import { useGetAll } from '../api/useGet.ts';
import { useHashPath } from '../navigation/hashLocation.ts';
import { allCommands, type Command, rankCommands } from './rankCommands.ts';
import './palette.css';

type CommandPaletteProps = {
  /** What is searched for at first. */
  readonly initialText: string;
  onClose(): void;
};

/** Jumps to pages and records by name: a combobox whose options are links and actions. */
export function CommandPalette({ initialText, onClose }: CommandPaletteProps) {
  const [text, setText] = useState(initialText);
  const [active, setActive] = useState(0);
  const channels = useGetAll('/on-air');
  const playlists = useGetAll('/playlists');
  const me = useMe();
  const [, navigate] = useHashPath();
  const id = useId();
  const dialog = useRef<HTMLDialogElement>(null);
  const all = useMemo(
    () => allCommands(channels.data ?? [], playlists.data ?? [], me),
    [channels.data, playlists.data, me],
  );
  const commands = rankCommands(all, text);
  const current = Math.min(active, commands.length - 1);
  useEffect(() => {
    const element = dialog.current;
    element?.showModal();
    return () => element?.close();
  }, []);
  useEffect(() => {
    dialog.current?.querySelector('[aria-selected="true"]')?.scrollIntoView({ block: 'nearest' });
  }, [current]);
  const open = ({ path }: Command) => {
    onClose();
    navigate(path);
  };
  const press = (event: KeyboardEvent) => {
    const steps: Readonly<Record<string, number>> = { ArrowDown: 1, ArrowUp: -1 };
    const step = steps[event.key];
    const command = commands[current];
    if (step !== undefined) setActive((current + step + commands.length) % Math.max(1, commands.length));
    else if (event.key === 'Enter' && command) open(command);
    else return;
    event.preventDefault();
  };
  return (
    <dialog ref={dialog} class="palette" aria-label="Search" onClose={onClose}>
      <input
        type="text"
        role="combobox"
        aria-label="Search pages, channels, playlists and sessions"
        aria-expanded={commands.length > 0}
        aria-controls={id}
        aria-autocomplete="list"
        aria-activedescendant={commands.length > 0 ? `${id}-${current}` : undefined}
        placeholder="Page, channel, playlist, session ID, action…"
        autoComplete="off"
        spellcheck={false}
        value={text}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setActive(0);
        }}
        onKeyDown={press}
      />
      <div role="listbox" id={id} aria-label="Results">
        {commands.map((command, index) => (
          // biome-ignore lint/a11y/useFocusableInteractive: the combobox has the focus and names the active option
          // biome-ignore lint/a11y/useKeyWithClickEvents: the combobox handles the keys
          <div
            key={command.id}
            id={`${id}-${index}`}
            role="option"
            aria-selected={index === current}
            onClick={() => open(command)}
            onPointerMove={() => setActive(index)}
          >
            <span>{command.title}</span>
            {command.detail === undefined || command.detail === command.title ? null : (
              <small class="ellipsis">{command.detail}</small>
            )}
            <small class="group ellipsis">{command.group}</small>
          </div>
        ))}
      </div>
      {commands.length === 0 ? (
        <p class="muted" role="status">
          {channels.isLoading ? 'Loading…' : 'Nothing found'}
        </p>
      ) : null}
    </dialog>
  );
}
