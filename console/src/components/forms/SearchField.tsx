// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { TextField } from './TextField.tsx';

/** Between the last key and the search. */
const DELAY_MS = 300;

type SearchFieldProps = {
  readonly label: string;
  /** What is searched for now. */
  readonly value: string;
  onSearch(text: string): void;
};

/** Searches when the operator stops typing. */
export function SearchField({ label, value, onSearch }: SearchFieldProps) {
  const [text, setText] = useState(value);
  useEffect(() => setText(value), [value]);
  useEffect(() => {
    if (text === value) return;
    const timer = setTimeout(() => onSearch(text), DELAY_MS);
    return () => clearTimeout(timer);
  }, [text]);
  return <TextField label={label} type="search" value={text} onInput={setText} placeholder="Name or ID" />;
}
