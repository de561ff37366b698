// SPDX-License-Identifier: Apache-2.0
// Reads splice commands (ANSI/SCTE 35 §9.7).
import type { BitReader } from '../mp4/bitReader.ts';
import { wrapMpegTime } from '../time/mpegClock.ts';
import type { BreakDuration, ScheduledSplice, SpliceCommand, SpliceInsert } from './spliceSection.ts';

export type CommandOptions = {
  /** pts_adjustment, which is added to each time (§9.6.1). */
  readonly adjustment: number;
  /** A splice_insert of components without component_count and components, as some senders write it. */
  readonly isUncounted?: boolean;
};

export function readCommand(type: number, reader: BitReader, options: CommandOptions): SpliceCommand {
  const { adjustment } = options;
  switch (type) {
    case 0x00:
      return { kind: 'null' };
    case 0x04:
      return { kind: 'schedule', events: readSchedule(reader) };
    case 0x05:
      return readInsert(reader, options);
    case 0x06:
      return { kind: 'timeSignal', ...withTime(readTime(reader, adjustment)) };
    case 0x07:
      return { kind: 'bandwidthReservation' };
    case 0xff:
      return { kind: 'private', identifier: reader.bits(32), bytes: '' };
    default:
      return { kind: 'unknown', type };
  }
}

const withTime = (time: number | undefined): { readonly time?: number } => (time === undefined ? {} : { time });

/** splice_time() (§9.8.1); undefined when time_specified_flag is 0. */
function readTime(reader: BitReader, adjustment: number): number | undefined {
  const isSpecified = reader.bit() === 1;
  if (!isSpecified) {
    reader.bits(7);
    return undefined;
  }
  reader.bits(6);
  return wrapMpegTime(reader.bits(33) + adjustment);
}

/** break_duration() (§9.8.2). */
function readDuration(reader: BitReader): BreakDuration {
  const autoReturn = reader.bit() === 1;
  reader.bits(6);
  return { autoReturn, duration: reader.bits(33) };
}

const cancelled = (eventId: number, isIdFree: boolean) => ({
  eventId,
  isIdFree,
  isCancelled: true,
  isOut: false,
  uniqueProgramId: 0,
  availNum: 0,
  availsExpected: 0,
});

const readAvail = (reader: BitReader) => ({
  uniqueProgramId: reader.bits(16),
  availNum: reader.bits(8),
  availsExpected: reader.bits(8),
});

function readInsert(reader: BitReader, { adjustment, isUncounted = false }: CommandOptions): SpliceInsert {
  const eventId = reader.bits(32);
  const isCancelled = reader.bit() === 1;
  const isIdFree = reader.bit() === 1;
  reader.bits(6);
  if (isCancelled) return { kind: 'insert', isImmediate: false, ...cancelled(eventId, isIdFree) };
  const isOut = reader.bit() === 1;
  const isWhole = reader.bit() === 1;
  const hasDuration = reader.bit() === 1;
  const isImmediate = reader.bit() === 1;
  reader.bits(4);
  let time: number | undefined;
  const components: number[] = [];
  if (isWhole && !isImmediate) time = readTime(reader, adjustment);
  if (!isWhole && !isUncounted) {
    const count = reader.bits(8);
    for (let i = 0; i < count && !reader.isPastEnd(); i += 1) {
      components.push(reader.bits(8));
      if (isImmediate) continue;
      const own = readTime(reader, adjustment);
      time ??= own;
    }
  }
  const breakDuration = hasDuration ? readDuration(reader) : undefined;
  return {
    kind: 'insert',
    eventId,
    isIdFree,
    isCancelled,
    isOut,
    isImmediate,
    ...withTime(time),
    ...(isWhole ? {} : { components }),
    ...(breakDuration && { breakDuration }),
    ...readAvail(reader),
  };
}

function readSchedule(reader: BitReader): ScheduledSplice[] {
  const count = reader.bits(8);
  const events: ScheduledSplice[] = [];
  for (let i = 0; i < count && !reader.isPastEnd(); i += 1) events.push(readScheduled(reader));
  return events;
}

function readScheduled(reader: BitReader): ScheduledSplice {
  const eventId = reader.bits(32);
  const isCancelled = reader.bit() === 1;
  const isIdFree = reader.bit() === 1;
  reader.bits(6);
  if (isCancelled) return cancelled(eventId, isIdFree);
  const isOut = reader.bit() === 1;
  const isWhole = reader.bit() === 1;
  const hasDuration = reader.bit() === 1;
  reader.bits(5);
  let gpsSeconds: number | undefined;
  const count = isWhole ? 1 : reader.bits(8);
  for (let i = 0; i < count && !reader.isPastEnd(); i += 1) {
    if (!isWhole) reader.bits(8);
    const own = reader.bits(32);
    gpsSeconds ??= own;
  }
  const breakDuration = hasDuration ? readDuration(reader) : undefined;
  return {
    eventId,
    isIdFree,
    isCancelled,
    isOut,
    ...(gpsSeconds === undefined ? {} : { gpsSeconds }),
    ...(breakDuration && { breakDuration }),
    ...readAvail(reader),
  };
}
