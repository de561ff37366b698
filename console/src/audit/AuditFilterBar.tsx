// SPDX-License-Identifier: Apache-2.0
import { useEffect, useRef, useState } from 'preact/hooks';
import { useRecordNames } from '../api/recordNames.ts';
import { Button } from '../components/buttons/Button.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { TextField } from '../components/forms/TextField.tsx';
import { fromLocal, toLocal } from '../format/zonedTime.ts';
import type { AuditFilters } from './auditFilters.ts';
import { namedKind } from './namedRecords.ts';

const kinds = [
  { value: '', label: 'All' },
  { value: 'channel', label: 'Channels' },
  { value: 'playlist', label: 'Playlists' },
  { value: 'system', label: 'Systems' },
  { value: 'asset', label: 'Creatives' },
  { value: 'key', label: 'Keys' },
  { value: 'alert rule', label: 'Alert rules' },
  { value: 'webhook', label: 'Webhooks' },
  { value: 'session', label: 'Sign-ins' },
  { value: 'tenant', label: 'Tenants' },
];
/** Milliseconds after the last key press. */
const TYPING_MS = 300;

type AuditFilterBarProps = { readonly filters: AuditFilters; onChange(filters: AuditFilters): void };

/** Changes of text are applied after a pause. */
export function AuditFilterBar({ filters, onChange }: AuditFilterBarProps) {
  const [draft, setDraft] = useState(filters);
  const timer = useRef<ReturnType<typeof setTimeout>>();
  useEffect(() => setDraft(filters), [filters]);
  useEffect(() => () => clearTimeout(timer.current), []);
  const type = (part: Partial<AuditFilters>) => {
    const next = { ...draft, ...part };
    setDraft(next);
    clearTimeout(timer.current);
    timer.current = setTimeout(() => onChange(next), TYPING_MS);
  };
  const local = (iso: string) => (iso === '' ? '' : toLocal(Date.parse(iso)));
  const setTime = (name: 'from' | 'to') => (text: string) => {
    const time = fromLocal(text);
    if (time !== undefined || text === '') type({ [name]: time === undefined ? '' : new Date(time).toISOString() });
  };
  const named = namedKind(filters.kind);
  const nameOf = useRecordNames(named ?? 'channels', named === undefined || filters.id === '' ? [] : [filters.id]);
  const isFiltered = Object.values(filters).some((value) => value !== '');
  const cleared = { actor: '', kind: '', id: '', text: '', from: '', to: '' };
  return (
    <div class="audit-filters">
      <TextField label="Search" type="search" value={draft.text} onInput={(text) => type({ text })} />
      <SelectField
        label="Kind"
        value={filters.kind}
        options={kinds}
        onChange={(kind) => onChange({ ...draft, kind, id: '' })}
      />
      <TextField label="Person" value={draft.actor} placeholder="E-mail" onInput={(actor) => type({ actor })} />
      <TextField label="From" type="datetime-local" value={local(draft.from)} onInput={setTime('from')} />
      <TextField label="To" type="datetime-local" value={local(draft.to)} onInput={setTime('to')} />
      {filters.id === '' ? null : <TextField label="Record" value={nameOf(filters.id)} isReadOnly onInput={() => {}} />}
      {isFiltered ? <Button onClick={() => onChange(cleared)}>Clear filters</Button> : null}
    </div>
  );
}
