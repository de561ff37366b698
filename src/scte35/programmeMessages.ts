// SPDX-License-Identifier: Apache-2.0
// The messages by which Midroll announces where the entries of a schedule start and end: time_signal with a segmentation of a programme
// (ANSI/SCTE 35 §10.3.3.1, table 23). As those of breaks, they have no time.
import { eventIdOf } from './breakMessages.ts';
import { writeSection } from './writeSection.ts';

const upidTypes = { adId: 0x03, adi: 0x09, eidr: 0x0a, ads: 0x0e, uri: 0x0f, uuid: 0x10 } as const;

type AnnouncedProgramme = Parameters<typeof eventIdOf>[0] & {
  readonly upid?: { readonly type: keyof typeof upidTypes; readonly value: string };
};

const [PROGRAMME_START, PROGRAMME_END] = [0x10, 0x11];

function signal(one: AnnouncedProgramme, typeId: number): Uint8Array {
  const { upid } = one;
  const upids = upid === undefined ? [] : [{ type: upidTypes[upid.type], text: upid.value }];
  const segmentation = {
    eventId: eventIdOf(one),
    isCancelled: false,
    typeId,
    upids,
    segmentNum: 1,
    segmentsExpected: 1,
  };
  return writeSection({ command: { kind: 'timeSignal' }, segmentations: [segmentation] });
}

export const programmeStart = (one: AnnouncedProgramme): Uint8Array => signal(one, PROGRAMME_START);
/** With the event id of its start. */
export const programmeEnd = (one: AnnouncedProgramme): Uint8Array => signal(one, PROGRAMME_END);
