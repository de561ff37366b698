// SPDX-License-Identifier: Apache-2.0
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import type { FieldControl } from '../forms/Field.tsx';
import { Icon } from '../icons/Icon.tsx';
import { type ComboboxState, closed, comboboxKey } from './comboboxKeys.ts';
import './pickers.css';

export type PickOption = {
  readonly id: string;
  readonly label: string;
  /** What tells options with the same label apart. */
  readonly detail?: string;
};

type ComboboxProps = {
  readonly control: FieldControl;
  /** The label, for the list and the button that clears. */
  readonly name: string;
  /** The label of what is picked; empty for nothing. */
  readonly value: string;
  /** Shown while nothing is picked. */
  readonly placeholder: string;
  /** Those that match what was searched for last. */
  readonly options: readonly PickOption[];
  /** Whether they are being read: those of the previous search are listed meanwhile. */
  readonly isLoading: boolean;
  /** Why there are no options. */
  readonly fault?: string | undefined;
  /** Called with what was typed, and with undefined when the list closes. */
  onSearch(text: string | undefined): void;
  onPick(option: PickOption): void;
  /** Called with what was typed, where it may be anything. */
  onTake?(text: string): void;
  onClear(): void;
};

/** Milliseconds after the last key. */
const TYPING_MS = 200;

/** A field that lists what matches, and picks one of it. */
export function Combobox(props: ComboboxProps) {
  const { name, value, options: found, onTake } = props;
  const list = useId();
  const input = useRef<HTMLInputElement>(null);
  const [state, setState] = useState<ComboboxState>(closed);
  /** What was typed; undefined shows the value. */
  const [text, setText] = useState<string>();
  const { isOpen, active } = state;
  /** What was searched for; undefined while nothing is. */
  const [searched, setSearched] = useState<string>();
  /** Whether Enter was pressed before the options were there. */
  const [isAwaited, setAwaited] = useState(false);
  useEffect(() => {
    const search = (next: string | undefined) => {
      setSearched(next);
      props.onSearch(next);
    };
    if (!isOpen) return search(undefined);
    if (!text) return search('');
    const timer = setTimeout(() => search(text), TYPING_MS);
    return () => clearTimeout(timer);
  }, [text, isOpen]);
  const isSettled = searched === (text ?? '') && !props.isLoading;
  useEffect(() => {
    if (isOpen) document.getElementById(`${list}-${active}`)?.scrollIntoView({ block: 'nearest' });
  }, [active, isOpen]);
  useEffect(() => {
    if (isAwaited && isSettled) pick(found[0]);
  }, [isAwaited, isSettled]);
  const finish = () => {
    setAwaited(false);
    setState(closed);
    setText(undefined);
  };
  const pick = (option: PickOption | undefined) => {
    finish();
    if (option) props.onPick(option);
  };
  const press = (event: KeyboardEvent) => {
    const action = comboboxKey(event, state, found.length, text ?? '');
    if (action === undefined) return;
    event.preventDefault();
    // Escape closes the list, not the dialog around it.
    event.stopPropagation();
    if (action.kind === 'show') return setState(action.state);
    if (action.kind === 'pick') return pick(found[action.index]);
    if (action.kind === 'revert') return finish();
    // Enter before an option was chosen: the text itself, or the best match.
    if (onTake === undefined) return isSettled ? pick(found[0]) : setAwaited(true);
    onTake((text ?? '').trim());
    finish();
  };
  return (
    <div class="combobox">
      <input
        {...props.control}
        ref={input}
        role="combobox"
        aria-expanded={isOpen}
        aria-controls={list}
        aria-autocomplete="list"
        aria-activedescendant={
          isOpen && active !== undefined && active < found.length ? `${list}-${active}` : undefined
        }
        autoComplete="off"
        spellcheck={false}
        placeholder={props.placeholder}
        value={text ?? value}
        onFocus={({ currentTarget }) => currentTarget.select()}
        onClick={() => setState({ isOpen: true, active: undefined })}
        onBlur={finish}
        onInput={({ currentTarget }) => {
          setText(currentTarget.value);
          setAwaited(false);
          setState({ isOpen: true, active: undefined });
        }}
        onKeyDown={press}
      />
      {value === '' ? (
        <Icon name="chevron" />
      ) : (
        <button
          type="button"
          class="clear"
          onClick={() => {
            props.onClear();
            input.current?.focus();
          }}
        >
          <Icon name="close" />
          <span class="visually-hidden">Clear {name.toLowerCase()}</span>
        </button>
      )}
      {isOpen ? (
        <div
          role="listbox"
          id={list}
          aria-label={name}
          // The field keeps the focus.
          onPointerDown={(event) => event.preventDefault()}
        >
          {found.map((option, index) => (
            // biome-ignore lint/a11y/useFocusableInteractive: the field has the focus and names the active option
            // biome-ignore lint/a11y/useKeyWithClickEvents: the field handles the keys
            <div
              key={option.id}
              id={`${list}-${index}`}
              role="option"
              aria-selected={index === active}
              onClick={() => pick(option)}
              onPointerMove={() => index === active || setState({ isOpen: true, active: index })}
            >
              <span>{option.label}</span>
              {option.detail === undefined ? null : <small class="muted">{option.detail}</small>}
            </div>
          ))}
        </div>
      ) : null}
      {isOpen && found.length === 0 ? (
        <p class="none" role="status">
          {props.fault ?? (!isSettled ? 'Loading…' : onTake && text ? `Enter adds “${text.trim()}”` : 'No match')}
        </p>
      ) : null}
    </div>
  );
}
