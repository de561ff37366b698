// SPDX-License-Identifier: Apache-2.0
// EXT-X-CUE-OUT, its continuation and end, and EXT-X-CUE of other packagers. No standard defines them; the forms are those
// that packagers write.
import { readAttributes } from '../hls/attributes.ts';
import { readPayload } from '../scte35/readPayload.ts';
import { type Flicks, flicks } from '../time/units.ts';
import { noStatement, type Reading, type Statement } from './markerSignal.ts';
import { readLength } from './readLength.ts';
import { payloadDetails, spliceStatements } from './spliceStatements.ts';

/** Names in capitals: packagers also write `Duration` and `ElapsedTime`, and spaces instead of commas. */
export function upperAttributes(value: string): ReadonlyMap<string, string> {
  const isSpaced = /^[\w-]+=[^\s,]+(\s+[\w-]+=[^\s,]+)+$/.test(value);
  const { attributes } = readAttributes(isSpaced ? value.replace(/\s+/g, ',') : value);
  return new Map([...attributes].map(([name, attribute]) => [name.toUpperCase(), attribute.value]));
}

const one = (statement: Statement, ...warnings: string[]): Reading => ({ statements: [statement], warnings });

/** Bare, `30`, `PT30S`, `0/30`, `30,ID=7`, or attributes with DURATION. */
export function readCueOut(value: string, starts?: ReadonlySet<number>): Reading {
  if (value === '') return one({ kind: 'out' });
  const attributes = upperAttributes(value);
  const id = idOf(attributes);
  const written =
    attributes.get('DURATION') ?? (attributes.size === 0 || /^[\d."]/.test(value) ? firstPart(value) : undefined);
  // At its start a break cannot be over, so that of `10/4` the larger number is the total.
  const pair = pairOf(written);
  const duration = pair ? flicks(Math.max(pair.elapsed, pair.total)) : readLength(written);
  const details = payloadDetails(attributes.get('SCTE35') ?? attributes.get('CUE'), starts);
  const statement: Statement = {
    kind: 'out',
    ...details,
    ...(duration === undefined ? {} : { duration }),
    ...(id ? { id: `cue ${id}` } : {}),
  };
  const isInvalid = written !== undefined && duration === undefined;
  return isInvalid ? one(statement, `the duration must be a number of seconds; got ${quote(written)}`) : one(statement);
}

const idOf = (attributes: ReadonlyMap<string, string>): string | undefined =>
  attributes.get('ID') ?? attributes.get('BREAKID') ?? attributes.get('SIGNALID');
const firstPart = (value: string): string => value.split(',')[0]!;
const quote = (text: string): string => JSON.stringify(text.slice(0, 40));

/** `8/30`: elapsed and total. */
function pairOf(text: string | undefined) {
  const [first, second, more] = (text ?? '').split('/');
  const [elapsed, total] = [readLength(first), readLength(second)];
  return elapsed === undefined || total === undefined || more !== undefined ? undefined : { elapsed, total };
}

/** Bare, `8/30`, `8`, or attributes with ElapsedTime and Duration. */
export function readCueCont(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const pair = pairOf(firstPart(value));
  if (pair !== undefined) {
    const own = idOf(attributes);
    return one({ kind: 'continue', duration: pair.total, elapsed: pair.elapsed, ...(own ? { id: `cue ${own}` } : {}) });
  }
  const duration = readLength(attributes.get('DURATION'));
  const written = elapsedNames.map((name) => attributes.get(name)).find((text) => text !== undefined);
  const elapsed = readLength(
    written ?? (attributes.size === 0 || /^[\d."]/.test(value) ? firstPart(value) : undefined),
  );
  const id = idOf(attributes);
  return one({
    kind: 'continue',
    ...payloadDetails(attributes.get('SCTE35'), starts),
    ...(duration === undefined ? {} : { duration }),
    ...(elapsed === undefined ? {} : { elapsed }),
    ...(id ? { id: `cue ${id}` } : {}),
  });
}

/** EXT-X-SIGNAL-SPAN; with TimeFromSignalStart it belongs to a programme, not to a break. */
export const readSignalSpan = (value: string, starts?: ReadonlySet<number>): Reading =>
  upperAttributes(value).has('TIMEFROMSIGNALSTART') ? noStatement : readCueCont(value, starts);

/** EXT-X-CUEPOINT and EXT-X-AD, which mark a break only if they have its duration. */
export const readAdPoint = (value: string, starts?: ReadonlySet<number>): Reading =>
  upperAttributes(value).has('DURATION') ? readCue(value, starts) : noStatement;

/** TIMEFROMSIGNAL is that of EXT-X-CUE-SPAN, AVAIL-DUR-ELAPSED that of EXT-X-CUE-CONT. */
const elapsedNames = ['ELAPSEDTIME', 'ELAPSED', 'TIMEFROMSIGNAL', 'AVAIL-DUR-ELAPSED'];

/** An attribute is enough of an id to end the break of the same id; other text is ignored. */
export function readCueIn(value: string): Reading {
  const attributes = upperAttributes(value);
  const id = idOf(attributes);
  return one({ kind: 'in', ...(id ? { id: `cue ${id}` } : {}) });
}

/** EXT-X-CUE: SpliceOut at the start of a break or at each of its segments, SpliceIn, SpliceInsert, scte35 with a message. */
export function readCue(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const type = (attributes.get('TYPE') ?? (attributes.has('DURATION') ? 'SpliceOut' : '')).toLowerCase();
  const [id, hint] = [attributes.get('ID'), attributes.get('TIME')];
  const known = { ...(id ? { id: `cue ${id}` } : {}), ...(hint ? { hint } : {}) };
  const written = attributes.get('DURATION');
  const duration = readLength(written);
  // 0 means that the duration is unknown.
  const length = duration ? { duration } : {};
  const elapsed = readLength(attributes.get('ELAPSED'));
  if (type === 'scte35') {
    const reading = spliceStatements(readPayload(attributes.get('CUE') ?? ''), starts);
    return completeCue(reading, { ...known, ...length }, elapsed);
  }
  if (type === 'splicein') return one({ kind: 'in', ...known });
  if (type === 'spliceinsert') return one({ kind: 'out', isPoint: true, ...known, ...length });
  if (type !== 'spliceout') {
    return {
      statements: [],
      warnings: [`TYPE must be SpliceOut, SpliceIn, SpliceInsert or scte35; got ${quote(type)}`],
    };
  }
  const statement: Statement = elapsed
    ? { kind: 'continue', elapsed, ...known, ...length }
    : { kind: 'out', ...known, ...length };
  const isInvalid = written !== undefined && duration === undefined;
  return isInvalid ? one(statement, `DURATION must be a number of seconds; got ${quote(written)}`) : one(statement);
}

/** The message states what starts or ends; the attributes of the tag state the rest. */
function completeCue(
  { statements, warnings }: Reading,
  known: Partial<Statement>,
  elapsed: Flicks | undefined,
): Reading {
  // The first start contains the others.
  const outermost = statements.find(({ kind }) => kind === 'out');
  const completed = statements.map((statement): Statement => {
    if (statement.kind === 'cancel' && known.id !== undefined) return { ...statement, id: known.id };
    if (statement !== outermost) return statement;
    return { ...statement, ...known, ...(elapsed ? { kind: 'continue', elapsed } : {}) };
  });
  return { statements: completed, warnings };
}
