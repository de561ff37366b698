// SPDX-License-Identifier: Apache-2.0
import { useState } from 'preact/hooks';
import { serverNow } from '../api/serverClock.ts';
import { Button } from '../components/buttons/Button.tsx';
import { lazily } from '../components/feedback/lazily.tsx';
import { zoneOffsetName } from '../format/timeZone.ts';
import { useTimeZone } from './useTimeZone.ts';

const TimeZoneDialog = lazily(async () => (await import('./TimeZoneDialog.tsx')).TimeZoneDialog, true);

/** Shows the time zone of all times, and opens a dialog that changes it. */
export function TimeZoneButton() {
  const zone = useTimeZone();
  const [isOpen, setOpen] = useState(false);
  return (
    <>
      <Button icon="clock" onClick={() => setOpen(true)}>
        <span class="visually-hidden">Time zone: </span>
        {zoneOffsetName(serverNow(), zone)}{' '}
        <small class="zone">{zone === 'UTC' ? '' : zone.split('/').at(-1)?.replaceAll('_', ' ')}</small>
      </Button>
      {isOpen ? <TimeZoneDialog onClose={() => setOpen(false)} /> : null}
    </>
  );
}
