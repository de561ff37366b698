// SPDX-License-Identifier: Apache-2.0

import { useNow } from '../api/serverClock.ts';
import { Dialog, DialogFooter } from '../components/dialogs/Dialog.tsx';
import { SelectField } from '../components/forms/SelectField.tsx';
import { formatDateTimeSeconds } from '../format/time.ts';
import { selectedZone } from '../format/timeZone.ts';
import { storeTimeZone } from './useTimeZone.ts';

const browserZone = new Intl.DateTimeFormat().resolvedOptions().timeZone;
const options = [
  { value: '', label: `Browser (${browserZone})` },
  { value: 'UTC', label: 'UTC' },
  ...Intl.supportedValuesOf('timeZone')
    .filter((zone) => zone !== 'UTC')
    .map((zone) => ({ value: zone, label: zone.replaceAll('_', ' ') })),
];

/** Selects the time zone of all times on all pages. */
export function TimeZoneDialog({ onClose }: { onClose(): void }) {
  const now = useNow();
  const selected = selectedZone.use();
  // A zone that was stored by its other name, such as Asia/Kolkata for Asia/Calcutta.
  const isListed = options.some(({ value }) => value === selected);
  return (
    <Dialog title="Time zone" onClose={onClose}>
      <SelectField
        label="Zone"
        value={selected}
        options={isListed ? options : [...options, { value: selected, label: selected.replaceAll('_', ' ') }]}
        hint={`Now: ${formatDateTimeSeconds(now)}. All times on all pages use it. Stored in this browser.`}
        onChange={storeTimeZone}
      />
      <DialogFooter dismiss="Done" onClose={onClose} />
    </Dialog>
  );
}
