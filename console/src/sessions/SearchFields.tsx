// SPDX-License-Identifier: Apache-2.0
import { useEffect, useState } from 'preact/hooks';
import { useLocation } from 'wouter-preact';
import type { OnAirChannel } from '../../../src/http/contract/consoleContract.ts';
import { serverNow } from '../api/serverClock.ts';
import { Button } from '../components/buttons/Button.tsx';
import { ChannelFilter } from '../components/forms/ChannelFilter.tsx';
import { SelectField, toOptions } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fromLocal, toLocal } from '../format/zonedTime.ts';
import { findSessionId, isSearching, noSearch, outcomes, ranges, type SessionSearch, states } from './sessionSearch.ts';

type SearchFieldsProps = {
  readonly search: SessionSearch;
  readonly channels: readonly OnAirChannel[];
  onChange(search: SessionSearch): void;
};

const HOUR_MS = 3_600_000;

/** The fields of a search. A session ID, also within a playback URL, opens its session. */
export function SearchFields({ search, channels, onChange }: SearchFieldsProps) {
  const [text, setText] = useState(search.text);
  const [, navigate] = useLocation();
  useEffect(() => setText(search.text), [search.text]);
  const set = (changed: Partial<SessionSearch>) => onChange({ ...search, ...changed });
  const setTime = (name: 'from' | 'to') => (value: string) => {
    const time = fromLocal(value);
    if (time !== undefined) set({ [name]: time });
  };
  const setRange = (range: SessionSearch['range']) => {
    const { from: _, to: __, ...rest } = search;
    const now = serverNow();
    const times = range === 'around' ? { from: now } : range === 'custom' ? { from: now - HOUR_MS, to: now } : {};
    onChange({ ...rest, range, ...times });
  };
  return (
    <form
      class="session-filters"
      onSubmit={(event) => {
        event.preventDefault();
        const id = findSessionId(text);
        if (id === undefined) set({ text: text.trim() });
        else navigate(`/sessions/${encodeURIComponent(id)}`);
      }}
    >
      <ChannelFilter value={search.channel} channels={channels} onChange={(channel) => set({ channel })} />
      <SelectField label="Time" value={search.range} options={toOptions(ranges)} onChange={setRange} />
      {search.range === 'around' || search.range === 'custom' ? (
        <TextField
          label={search.range === 'around' ? 'Around' : 'From'}
          type="datetime-local"
          value={toLocal(search.from ?? serverNow())}
          onInput={setTime('from')}
        />
      ) : null}
      {search.range === 'custom' ? (
        <TextField label="To" type="datetime-local" value={toLocal(search.to ?? serverNow())} onInput={setTime('to')} />
      ) : null}
      <SelectField
        label="Break outcome"
        value={search.outcome}
        options={toOptions(outcomes)}
        onChange={(outcome) => set({ outcome })}
      />
      <SelectField
        label="State"
        value={search.state}
        options={toOptions(states)}
        onChange={(state) => set({ state })}
      />
      <div class="find">
        <TextField
          label="Find session"
          type="search"
          value={text}
          onInput={setText}
          placeholder="ID, playback URL, address, name=value, user agent"
        />
        <Button type="submit">Find</Button>
        {isSearching(search) ? <Button onClick={() => onChange(noSearch)}>Clear</Button> : null}
      </div>
    </form>
  );
}
