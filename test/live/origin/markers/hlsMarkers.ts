// SPDX-License-Identifier: Apache-2.0
// The ad markers of a live playlist, in the forms that packagers write.
import { announcedAt, type OriginBreak } from '../breakPlan.ts';
import { base64, hexadecimal, insertSection, type Splice, signalSection } from './spliceMessages.ts';

export type HlsMarkers =
  | 'none'
  /** CUE-OUT and CUE-IN. */
  | 'cue'
  | 'cue-attr'
  | 'cue-bare'
  | 'pt32s'
  | 'malformed'
  /** With CUE-OUT-CONT in the form `8/30`. */
  | 'cue-slash'
  /** OATCLS, CUE-OUT and CUE-OUT-CONT with the message. */
  | 'elemental'
  | 'scte35'
  | 'splicepoint'
  /** EXT-X-CUE at each segment. */
  | 'adobe'
  /** Can announce breaks ahead (BreakPlan.lead). */
  | 'daterange';

export const hlsMarkers: readonly HlsMarkers[] = [
  ...(['cue', 'cue-attr', 'cue-bare', 'pt32s', 'malformed', 'cue-slash', 'elemental', 'scte35'] as const),
  ...(['splicepoint', 'adobe', 'daterange'] as const),
];

export type MarkerContext = {
  readonly form: HlsMarkers;
  /** The breaks that touch the listed segments or start soon after them. */
  readonly breaks: readonly OriginBreak[];
  /** The first listed segment. */
  readonly first: number;
  /** The last listed segment: what is after it is not known yet. */
  readonly last: number;
  readonly segmentMs: number;
  /** In segments. */
  readonly lead: number;
  startOf(index: number): number;
  mediaMsOf(index: number): number;
};

const iso = (at: number): string => new Date(at).toISOString();
const secondsOf = (ms: number): string => (ms / 1000).toFixed(3);

function out(one: OriginBreak, context: MarkerContext): string[] {
  const length = announcedAt(one, one.start);
  const ms = length === undefined ? undefined : length * context.segmentMs;
  const seconds = ms === undefined ? undefined : secondsOf(ms);
  const [insert, signal] = messages(one, context, true, ms);
  const colon = (text: string) => (seconds === undefined ? '' : text);
  switch (context.form) {
    case 'cue':
    case 'cue-slash':
      return [`#EXT-X-CUE-OUT${colon(`:${seconds}`)}`];
    case 'cue-attr':
      return [`#EXT-X-CUE-OUT${colon(`:DURATION=${seconds},ID=${one.id}`)}`];
    case 'cue-bare':
      return ['#EXT-X-CUE-OUT'];
    case 'pt32s':
      return [`#EXT-X-CUE-OUT${colon(`:PT${Number(seconds)}S`)}`];
    case 'malformed':
      return ['#EXT-X-CUE-OUT:INVALID'];
    case 'elemental':
      return [`#EXT-OATCLS-SCTE35:${base64(insert)}`, `#EXT-X-CUE-OUT${colon(`:${seconds}`)}`];
    case 'scte35':
      return [
        `#EXT-X-SCTE35:TYPE=0x34,ID="${one.id}"${colon(`,DURATION=${seconds}`)},CUE-OUT=YES,CUE="${base64(signal)}"`,
      ];
    case 'splicepoint':
      return [`#EXT-X-SPLICEPOINT-SCTE35:${base64(signal)}`];
    default:
      return [];
  }
}

function continued(one: OriginBreak, index: number, context: MarkerContext): string[] {
  const elapsed = secondsOf((index - one.start) * context.segmentMs);
  const length = announcedAt(one, index);
  const ms = length === undefined ? undefined : length * context.segmentMs;
  const seconds = ms === undefined ? undefined : secondsOf(ms);
  const [insert, signal] = messages(one, context, true, ms);
  switch (context.form) {
    case 'cue-slash':
      return seconds === undefined ? ['#EXT-X-CUE-OUT-CONT'] : [`#EXT-X-CUE-OUT-CONT:${elapsed}/${seconds}`];
    case 'elemental': {
      const total = seconds === undefined ? '' : `,Duration=${seconds}`;
      return [`#EXT-X-CUE-OUT-CONT:ElapsedTime=${elapsed}${total},SCTE35=${base64(insert)}`];
    }
    case 'scte35': {
      const total = seconds === undefined ? '' : `,DURATION=${seconds}`;
      const attributes = `TYPE=0x34,ID="${one.id}",ELAPSED=${elapsed}${total},CUE-OUT=CONT`;
      return [`#EXT-X-SCTE35:${attributes},CUE="${base64(signal)}"`];
    }
    default:
      return [];
  }
}

function end(one: OriginBreak, context: MarkerContext): string[] {
  const [, signal] = messages(one, context, false);
  switch (context.form) {
    case 'none':
    case 'adobe':
    case 'daterange':
      return [];
    case 'malformed':
      return ['#EXT-X-CUE-IN:what'];
    case 'scte35':
      return [`#EXT-X-SCTE35:TYPE=0x35,ID="${one.id}",CUE-IN=YES,CUE="${base64(signal)}"`];
    case 'splicepoint':
      return [`#EXT-X-SPLICEPOINT-SCTE35:${base64(signal)}`];
    default:
      return ['#EXT-X-CUE-IN'];
  }
}

function messages(one: OriginBreak, context: MarkerContext, isOut: boolean, durationMs?: number) {
  const index = isOut ? one.start : one.end!;
  const splice: Splice = {
    ...{ id: one.id, isOut, mediaMs: context.mediaMsOf(index) },
    ...(durationMs === undefined ? {} : { durationMs }),
  };
  return [insertSection(splice), signalSection(splice)] as const;
}

/** EXT-X-CUE is repeated at each segment; a length of 0 means that it is unknown. */
function adobe(one: OriginBreak, index: number, context: MarkerContext): string[] {
  const isOver = index >= (one.end ?? one.start + 1);
  if (isOver && one.isEndMarked && index === one.end) return [`#EXT-X-CUE:TYPE="SpliceIn",ID="${one.id}"`];
  if (isOver || index < one.start) return [];
  const length = announcedAt(one, index) ?? 0;
  const elapsed = index === one.start ? '' : `,ELAPSED="${secondsOf((index - one.start) * context.segmentMs)}"`;
  const time = secondsOf(context.mediaMsOf(one.start));
  const duration = secondsOf(length * context.segmentMs);
  return [`#EXT-X-CUE:TYPE="SpliceOut",ID="${one.id}",TIME="${time}",DURATION="${duration}"${elapsed}`];
}

/** A date range is listed for as long as its break touches the window. Its attributes are added when they are known. */
function dateRange(one: OriginBreak, index: number, context: MarkerContext): string[] {
  const announcedFrom = Math.max(context.first, one.start - (one.lead ?? context.lead));
  const known = announcedAt(one, context.last + 1);
  const head = `#EXT-X-DATERANGE:ID="b${one.id}",START-DATE="${iso(context.startOf(one.start))}"`;
  const lines: string[] = [];
  if (index === announcedFrom) {
    const ms = known === undefined ? undefined : known * context.segmentMs;
    const [insert] = messages(one, context, true, ms);
    const planned = ms === undefined ? '' : `,PLANNED-DURATION=${secondsOf(ms)}`;
    lines.push(`${head}${planned},SCTE35-OUT=${hexadecimal(insert)}`);
  }
  if (one.isEndMarked && index === one.end) {
    const [insert] = messages(one, context, false);
    const duration = secondsOf((one.end - one.start) * context.segmentMs);
    lines.push(`${head},DURATION=${duration},SCTE35-IN=${hexadecimal(insert)}`);
  }
  return lines;
}

/** The tags before a segment. */
export function markersBefore(index: number, context: MarkerContext): string[] {
  return context.breaks.flatMap((one) => {
    if (context.form === 'none') return [];
    if (context.form === 'adobe') return adobe(one, index, context);
    if (context.form === 'daterange') return dateRange(one, index, context);
    const { inner } = one;
    const lines = [
      ...(index === one.start ? out(one, context) : []),
      ...(index === inner?.start ? [`#EXT-X-CUE-OUT:${secondsOf((inner.end - inner.start) * context.segmentMs)}`] : []),
      ...(index > one.start && index < (one.end ?? one.start) ? continued(one, index, context) : []),
      ...(index === inner?.end ? ['#EXT-X-CUE-IN'] : []),
      ...(one.isEndMarked && index === one.end ? end(one, context) : []),
    ];
    return one.behaviour === 'twice' ? lines.flatMap((line) => [line, line]) : lines;
  });
}
