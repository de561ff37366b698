// SPDX-License-Identifier: Apache-2.0
// The SCTE-35 messages of a test's live origin.
import {
  base64,
  encodeSection,
  hexadecimal,
  insertFields,
  segmentationDescriptor,
  spliceTime,
} from '../../../scte35/encodeSection.ts';

export { base64, hexadecimal };

export type Splice = {
  readonly id: number;
  readonly isOut: boolean;
  /** Milliseconds of media time. */
  readonly mediaMs: number;
  /** Milliseconds; absent if it is not stated. */
  readonly durationMs?: number;
};

const ticks = (ms: number): number => (ms * 90) % 2 ** 33;

export const insertSection = ({ id, isOut, mediaMs, durationMs }: Splice): Uint8Array =>
  encodeSection({
    type: 5,
    command: insertFields({
      ...{ id, isOut, time: ticks(mediaMs) },
      ...(durationMs === undefined || !isOut ? {} : { duration: ticks(durationMs) }),
    }),
  });

/** A time_signal for a provider placement opportunity (segmentation types 0x34 and 0x35). */
export const signalSection = ({ id, isOut, mediaMs, durationMs }: Splice): Uint8Array =>
  encodeSection({
    type: 6,
    command: spliceTime(ticks(mediaMs)),
    descriptors: [
      segmentationDescriptor({
        ...{ id, typeId: isOut ? 0x34 : 0x35 },
        ...(durationMs === undefined || !isOut ? {} : { duration: durationMs * 90 }),
      }),
    ],
  });
