// SPDX-License-Identifier: Apache-2.0
// The model of a SCTE-35 message (ANSI/SCTE 35, "Digital Program Insertion Cueing Message"). Times and durations are in
// ticks of 90 kHz. This folder reads messages and states which breaks they start and end. It does not place them in a
// manifest, which is left to `markers`.

export type BreakDuration = {
  /** The break ends after `duration` without another message. */
  readonly autoReturn: boolean;
  /** 33 bits. */
  readonly duration: number;
};

/** Part of splice_insert and of an event of splice_schedule (§9.7.2, §9.7.3). */
type SpliceEvent = {
  readonly eventId: number;
  /** event_id_compliance_flag: true if the id may not follow the rules of the standard, as that of older senders. */
  readonly isIdFree: boolean;
  readonly isCancelled: boolean;
  /** True at the start of a break, false at its end. */
  readonly isOut: boolean;
  readonly breakDuration?: BreakDuration;
  readonly uniqueProgramId: number;
  readonly availNum: number;
  readonly availsExpected: number;
};

export type SpliceInsert = SpliceEvent & {
  readonly kind: 'insert';
  readonly isImmediate: boolean;
  /** With pts_adjustment, 33 bits; in component mode, that of the first component. Absent: now. */
  readonly time?: number;
  /** The tags of the components that it applies to; absent when it applies to the whole programme. */
  readonly components?: readonly number[];
};

export type ScheduledSplice = SpliceEvent & {
  /** Seconds since 1980-01-06T00:00:00Z, leap seconds included (§9.7.2.1). */
  readonly gpsSeconds?: number;
};

export type SpliceCommand =
  | SpliceInsert
  | { readonly kind: 'null' }
  | { readonly kind: 'schedule'; readonly events: readonly ScheduledSplice[] }
  | { readonly kind: 'timeSignal'; readonly time?: number }
  | { readonly kind: 'bandwidthReservation' }
  | { readonly kind: 'private'; readonly identifier: number /** In hexadecimal digits. */; readonly bytes: string }
  | { readonly kind: 'unknown'; readonly type: number };

export type Upid = {
  /** segmentation_upid_type (§10.3.3.1, table 22). */
  readonly type: number;
  /** Text, or hexadecimal digits for types without a textual form. */
  readonly text: string;
  /** For MPU (type 0x0C): the registered format, e.g. `ADFR`. */
  readonly format?: string;
};

export type DeliveryRestrictions = {
  readonly isWebAllowed: boolean;
  readonly hasNoBlackout: boolean;
  readonly isArchiveAllowed: boolean;
  /** 0 to 2 are groups of restricted devices, 3 is none (table 20). */
  readonly devices: number;
};

export type AudioChannel = {
  readonly tag: number;
  /** ISO 639-2. */
  readonly language: string;
  /** bsmod and num_channels, as in AC-3 (table 25). */
  readonly bitStreamMode: number;
  readonly channels: number;
  readonly isFullService: boolean;
};

/** A descriptor that states nothing about breaks (§10.3.2, §10.3.4, §10.3.5), or that belongs to someone else. */
export type OtherDescriptor =
  | { readonly kind: 'dtmf' /** In tenths of a second. */; readonly preroll: number; readonly characters: string }
  | {
      readonly kind: 'time';
      readonly taiSeconds: number;
      readonly taiNanoseconds: number;
      /** Seconds of TAI before UTC. */
      readonly utcOffset: number;
    }
  | { readonly kind: 'audio'; readonly channels: readonly AudioChannel[] }
  | {
      readonly kind: 'other';
      readonly tag: number;
      readonly identifier: number;
      /** After the identifier, in hexadecimal digits. */
      readonly bytes: string;
    };

/** A segmentation_descriptor (§10.3.3). */
export type Segmentation = {
  readonly eventId: number;
  /** segmentation_event_id_compliance_indicator, as isIdFree of splice events. */
  readonly isIdFree: boolean;
  readonly isCancelled: boolean;
  readonly typeId: number;
  /** 40 bits. */
  readonly duration?: number;
  readonly upids: readonly Upid[];
  readonly segmentNum: number;
  readonly segmentsExpected: number;
  readonly subSegmentNum?: number;
  readonly subSegmentsExpected?: number;
  readonly restrictions?: DeliveryRestrictions;
  /** Offsets of the components that it applies to; absent when it applies to the whole programme. */
  readonly components?: readonly { readonly tag: number; readonly ptsOffset: number }[];
};

export type SpliceSection = {
  /** 0 to 2 are stream access points of types 1 to 3; 3 is not specified (table 6). */
  readonly sapType: number;
  readonly ptsAdjustment: number;
  /** Of an encrypted section; without meaning in others. */
  readonly cwIndex: number;
  readonly tier: number;
  readonly command: SpliceCommand;
  readonly segmentations: readonly Segmentation[];
  /** provider_avail_id of the avail_descriptors (§10.3.1). */
  readonly availIds: readonly number[];
  readonly others: readonly OtherDescriptor[];
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
