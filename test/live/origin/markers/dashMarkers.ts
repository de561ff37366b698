// SPDX-License-Identifier: Apache-2.0
// The ad markers of a live MPD: events with SCTE-35 messages, as packagers write them, or announced in-band events.
import { announcedAt } from '../breakPlan.ts';
import { type InbandEvent, writeEmsg } from '../media/moveFragment.ts';
import type { MarkerContext } from './hlsMarkers.ts';
import { base64, insertSection, type Splice, signalSection } from './spliceMessages.ts';

export type DashMarkers =
  | 'none'
  /** SpliceInsert in XML. */
  | 'xml'
  /** SpliceInfoSection without Signal, with a time signal and a SegmentationDescriptor. */
  | 'direct'
  | 'xml+bin'
  /** With a time signal. */
  | 'xml+bin-signal'
  /** In `messageData`. */
  | 'binary'
  /** In the segments (`emsg`). */
  | 'inband';

export const dashMarkers: readonly DashMarkers[] = ['xml', 'direct', 'xml+bin', 'xml+bin-signal', 'binary', 'inband'];

const INBAND_SCHEME = 'urn:scte:scte35:2013:bin';
const TIMESCALE = 90_000;

export type EventContext = Omit<MarkerContext, 'form' | 'first' | 'startOf'> & { readonly form: DashMarkers };

type Splicing = Splice & { readonly eventId: number };

/** The events that are known at the edge: the start of each break, and an end that differs from what was announced. */
function splicesOf(context: EventContext): Splicing[] {
  const { breaks, last, lead, segmentMs, mediaMsOf } = context;
  return breaks.flatMap((one): Splicing[] => {
    if (one.start - (one.lead ?? lead) > last + 1) return [];
    const length = announcedAt(one, last + 1);
    const out = {
      ...{ id: one.id, eventId: 2 * one.id, isOut: true, mediaMs: mediaMsOf(one.start) },
      ...(length === undefined ? {} : { durationMs: length * segmentMs }),
    };
    const isEnded = one.isEndMarked && one.end! <= last + 1;
    const isAsAnnounced = length !== undefined && one.start + length === one.end;
    if (!isEnded || isAsAnnounced) return [out];
    return [out, { id: one.id, eventId: 2 * one.id + 1, isOut: false, mediaMs: mediaMsOf(one.end!) }];
  });
}

function insertXml({ id, isOut, mediaMs, durationMs }: Splice): string {
  const duration =
    durationMs === undefined ? '' : `<scte35:BreakDuration autoReturn="true" duration="${durationMs * 90}"/>`;
  const time = `<scte35:Program><scte35:SpliceTime ptsTime="${(mediaMs * 90) % 2 ** 33}"/></scte35:Program>`;
  const flags = `outOfNetworkIndicator="${isOut}" spliceImmediateFlag="false" spliceEventCancelIndicator="false"`;
  const ids = 'uniqueProgramId="1" availNum="1" availsExpected="1"';
  const insert = `<scte35:SpliceInsert spliceEventId="${id}" ${flags} ${ids}>${time}${duration}</scte35:SpliceInsert>`;
  return `<scte35:SpliceInfoSection protocolVersion="0" ptsAdjustment="0" tier="4095">${insert}</scte35:SpliceInfoSection>`;
}

function signalXml({ id, isOut, mediaMs, durationMs }: Splice): string {
  const time = `<scte35:TimeSignal><scte35:SpliceTime ptsTime="${(mediaMs * 90) % 2 ** 33}"/></scte35:TimeSignal>`;
  const duration = durationMs === undefined ? '' : ` segmentationDuration="${durationMs * 90}"`;
  const ids = `segmentationEventId="${id}" segmentationTypeId="${isOut ? 0x34 : 0x35}"${duration}`;
  const descriptor = `<scte35:SegmentationDescriptor ${ids} segmentNum="1" segmentsExpected="1"/>`;
  return `<scte35:SpliceInfoSection>${time}${descriptor}</scte35:SpliceInfoSection>`;
}

function contentOf(form: DashMarkers, splice: Splice): string {
  const binary = (section: Uint8Array) => `<scte35:Binary>${base64(section)}</scte35:Binary>`;
  if (form === 'direct') return signalXml(splice);
  if (form === 'xml+bin') return `<scte35:Signal>${binary(insertSection(splice))}</scte35:Signal>`;
  if (form === 'xml+bin-signal') return `<scte35:Signal>${binary(signalSection(splice))}</scte35:Signal>`;
  return form === 'xml' ? `<scte35:Signal>${insertXml(splice)}</scte35:Signal>` : '';
}

/** @param periodMediaMs the media time of the Period's start, which is the zero of its events */
export function eventStream(context: EventContext, periodMediaMs: number): string {
  const { form } = context;
  if (form === 'none' || form === 'inband') return '';
  const isBinary = form.startsWith('xml+bin');
  const events = splicesOf(context).map((splice) => {
    const time = `presentationTime="${(splice.mediaMs - periodMediaMs) * 90}"`;
    const duration = splice.durationMs === undefined ? '' : ` duration="${splice.durationMs * 90}"`;
    const data = form === 'binary' ? ` messageData="${base64(signalSection(splice))}"` : '';
    return `<Event ${time}${duration} id="${splice.eventId}"${data}>${contentOf(form, splice)}</Event>`;
  });
  if (events.length === 0) return '';
  const scheme = form === 'binary' ? INBAND_SCHEME : `urn:scte:scte35:${isBinary ? '2014:xml+bin' : '2013:xml'}`;
  const namespace = isBinary ? 'http://www.scte.org/schemas/35/2016' : 'urn:scte:scte35:2013:xml';
  const head = `<EventStream schemeIdUri="${scheme}" timescale="${TIMESCALE}" xmlns:scte35="${namespace}">`;
  return `${head}${events.join('')}</EventStream>`;
}

/** The announcement of in-band events in an AdaptationSet. */
export const inbandStream = (form: DashMarkers): string =>
  form === 'inband' ? `<InbandEventStream schemeIdUri="${INBAND_SCHEME}" value="1"/>` : '';

/** The `emsg` boxes of a segment of video: each event is in the segment that is the newest when it becomes known. */
export function inbandEvents(context: EventContext, index: number): Uint8Array[] {
  if (context.form !== 'inband') return [];
  const before = new Set(splicesOf({ ...context, last: index - 1 }).map(describe));
  const fresh = splicesOf({ ...context, last: index }).filter((splice) => !before.has(describe(splice)));
  return fresh.map((splice): Uint8Array => {
    const event: InbandEvent = {
      ...{ scheme: INBAND_SCHEME, id: splice.eventId, timescale: TIMESCALE },
      ...{ time: splice.mediaMs * 90, duration: splice.durationMs === undefined ? 0xffffffff : splice.durationMs * 90 },
      message: insertSection(splice),
    };
    return writeEmsg(event);
  });
}

const describe = ({ eventId, durationMs }: Splicing): string => `${eventId} ${durationMs}`;
