// SPDX-License-Identifier: Apache-2.0
// What a SCTE-35 message (ANSI/SCTE 35, "Digital Program Insertion Cueing Message") states about breaks. Times and durations are
// in ticks of 90 kHz. This folder reads messages and states which breaks they start and end. It does not place them in a
// manifest, which is left to `markers`.

/** splice_insert (§9.7.3). */
export type SpliceInsert = {
  readonly kind: 'insert';
  readonly eventId: number;
  readonly isCancelled: boolean;
  /** True at the start of a break, false at its end. */
  readonly isOut: boolean;
  /** With pts_adjustment, 33 bits; in component mode, that of the first component. Absent: now. */
  readonly time?: number;
  /** break_duration, 33 bits. */
  readonly duration?: number;
};

/** `other`: a command that starts and ends nothing. */
export type SpliceCommand =
  | SpliceInsert
  | { readonly kind: 'timeSignal'; readonly time?: number }
  | { readonly kind: 'other' };

/** A segmentation_descriptor (§10.3.3). */
export type Segmentation = {
  readonly eventId: number;
  readonly isCancelled: boolean;
  readonly typeId: number;
  /** 40 bits. */
  readonly duration?: number;
  /** Text, or hexadecimal digits for types without a textual form (§10.3.3.1, table 22). */
  readonly upids: readonly string[];
  readonly segmentsExpected: number;
};

export type SpliceSection = {
  readonly command: SpliceCommand;
  readonly segmentations: readonly Segmentation[];
  /** What was tolerated, one phrase each. */
  readonly warnings: readonly string[];
};

export type SpliceRefusalCode =
  | 'ENCODING'
  | 'NO_SECTION'
  | 'PROTOCOL_VERSION'
  | 'ENCRYPTED'
  | 'CRC'
  | 'CUT_OFF'
  | 'ELEMENT';

/** Why a message cannot be used: what was expected and what was found. */
export type SpliceRefusal = {
  readonly refused: string;
  readonly code: SpliceRefusalCode;
  /** With a wrong CRC: what the section seems to state. To be used only if something else confirms it. */
  readonly unchecked?: SpliceSection;
};
