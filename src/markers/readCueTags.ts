// SPDX-License-Identifier: Apache-2.0
// EXT-X-CUE-OUT, its continuation and end, and EXT-X-CUE of other packagers. No standard defines them; the forms are those
// that packagers write.
import { withoutUndefined } from '../invariant.ts';
import { readPayload } from '../scte35/readSection.ts';
import { type Flicks, flicks } from '../time/units.ts';
import { readLength, readWritten, upperAttributes } from './markerAttributes.ts';
import { noStatement, type Reading, type Statement } from './markerSignal.ts';
import { isPayload, payloadDetails, spliceStatements } from './spliceStatements.ts';

const one = (statement: Statement, warnings: readonly string[] = []): Reading => ({
  statements: [statement],
  warnings,
});

/** Bare, `30`, `PT30S`, `0/30`, `30,ID=7`, a SCTE-35 message, or attributes with DURATION. */
export function readCueOut(value: string, starts?: ReadonlySet<number>): Reading {
  if (value === '') return one({ kind: 'out' });
  const attributes = upperAttributes(value);
  const id = idOf(attributes);
  const isMessage = isPayload(value);
  const isNamed = isMessage || (attributes.size > 0 && !/^[\d."']/.test(value));
  const written = firstOf(attributes, durationNames) ?? (isNamed ? undefined : firstPart(value));
  // At its start a break cannot be over, so that of `10/4` the larger number is the total.
  const pair = pairOf(written);
  const stated = pair ? undefined : readWritten('the duration', written);
  const duration = pair ? flicks(Math.max(pair.elapsed ?? 0, pair.total ?? 0)) : stated?.length;
  const payload = isMessage ? value : (attributes.get('SCTE35') ?? attributes.get('CUE'));
  const { details, warnings } = payloadDetails(payload, starts);
  const statement: Statement = { kind: 'out', ...details, ...(duration === undefined ? {} : { duration }), ...id };
  return one(statement, [...(stated?.warnings ?? []), ...warnings]);
}

/** Packagers name the length like the attributes of other tags and messages. */
const durationNames = ['DURATION', 'PLANNED-DURATION', 'BREAKDURATION', 'BREAK-DURATION'];

const firstOf = (attributes: ReadonlyMap<string, string>, names: readonly string[]): string | undefined =>
  names.map((name) => attributes.get(name)).find((text) => text !== undefined);

const cueId = (id: string | undefined): Pick<Statement, 'id'> => (id ? { id: `cue ${id}` } : {});
const idOf = (attributes: ReadonlyMap<string, string>): Pick<Statement, 'id'> =>
  cueId(attributes.get('ID') ?? attributes.get('BREAKID') ?? attributes.get('SIGNALID'));
const firstPart = (value: string): string => value.replace(/[,;].*/s, '');

type Pair = { readonly elapsed?: Flicks | undefined; readonly total?: Flicks | undefined };

/** `8/30`: elapsed and total, of which one may be missing. */
function pairOf(text: string | undefined): Pair | undefined {
  const [first, second, more] = (text ?? '').split('/');
  const [elapsed, total] = [readLength(first), readLength(second)];
  if (second === undefined || more !== undefined || (elapsed ?? total) === undefined) return undefined;
  return { elapsed, total };
}

/** Bare, `8/30`, `8`, or attributes with ElapsedTime, Duration and Remaining, of which two state the third. */
export function readCueCont(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const lengthOf = (names: readonly string[]): Flicks | undefined => readLength(firstOf(attributes, names));
  const isNumber = attributes.size === 0 || /^[\d."']/.test(value);
  const pair: Pair = pairOf(firstPart(value)) ?? (isNumber ? { elapsed: readLength(firstPart(value)) } : {});
  const stated = pair.total ?? lengthOf(durationNames);
  const passed = pair.elapsed ?? lengthOf(elapsedNames);
  const remaining = lengthOf(remainingNames);
  const { duration: whole, ...details } = payloadDetails(attributes.get('SCTE35'), starts).details;
  const sum = remaining === undefined || passed === undefined ? undefined : flicks(passed + remaining);
  const duration = stated ?? sum ?? whole;
  const isKnown = remaining !== undefined && duration !== undefined;
  const elapsed = passed ?? (isKnown ? flicks(Math.max(0, duration - remaining)) : undefined);
  return one({
    kind: 'continue',
    ...details,
    ...withoutUndefined({ duration, elapsed }),
    ...idOf(attributes),
  });
}

/** EXT-X-SIGNAL-SPAN; with TimeFromSignalStart it belongs to a programme, not to a break. */
export const readSignalSpan = (value: string, starts?: ReadonlySet<number>): Reading =>
  upperAttributes(value).has('TIMEFROMSIGNALSTART') ? noStatement : readCueCont(value, starts);

/** EXT-X-CUEPOINT and EXT-X-AD, which mark a break only if they have its duration. */
export const readAdPoint = (value: string, starts?: ReadonlySet<number>): Reading =>
  upperAttributes(value).has('DURATION') ? readCue(value, starts) : noStatement;

/** EXT-X-PLACEMENT-OPPORTUNITY, by which packagers mark where ads may be inserted. */
export const readOpportunity = (value: string): Reading => {
  const duration = readLength(upperAttributes(value).get('DURATION'));
  return one({ kind: 'out', isPoint: true, ...(duration ? { duration } : {}) });
};

/** TIMEFROMSIGNAL is that of EXT-X-CUE-SPAN, AVAIL-DUR-ELAPSED that of EXT-X-CUE-CONT. */
const elapsedNames = ['ELAPSEDTIME', 'ELAPSED', 'ELAPSED-TIME', 'TIMEFROMSIGNAL', 'AVAIL-DUR-ELAPSED'];
const remainingNames = ['REMAINING', 'REMAININGTIME', 'REMAINING-TIME', 'TIMEREMAINING'];

/** An attribute is enough of an id to end the break of the same id; other text is ignored. */
export const readCueIn = (value: string): Reading => one({ kind: 'in', ...idOf(upperAttributes(value)) });

/** EXT-X-CUE: SpliceOut at the start of a break or at each of its segments, SpliceIn, SpliceInsert, scte35 with a message. */
export function readCue(value: string, starts?: ReadonlySet<number>): Reading {
  const attributes = upperAttributes(value);
  const type = (attributes.get('TYPE') ?? (attributes.has('DURATION') ? 'SpliceOut' : '')).toLowerCase();
  const hint = attributes.get('TIME');
  const known = { ...cueId(attributes.get('ID')), ...(hint ? { hint } : {}) };
  const written = readWritten('DURATION', attributes.get('DURATION'));
  // 0 means that the duration is unknown.
  const length = written.length ? { duration: written.length } : {};
  const elapsed = readLength(attributes.get('ELAPSED'));
  if (type === 'scte35') {
    const reading = spliceStatements(readPayload(attributes.get('CUE') ?? ''), starts);
    return completeCue(reading, { ...known, ...length }, elapsed);
  }
  if (type === 'splicein' || type === 'in') return one({ kind: 'in', ...known });
  if (type === 'spliceinsert') return one({ kind: 'out', isPoint: true, ...known, ...length });
  if (type !== 'spliceout' && type !== 'out') {
    const rule = 'TYPE must be SpliceOut, SpliceIn, SpliceInsert or scte35';
    return { statements: [], warnings: [`${rule}; got ${JSON.stringify(type.slice(0, 40))}`] };
  }
  const statement: Statement = elapsed
    ? { kind: 'continue', elapsed, ...known, ...length }
    : { kind: 'out', ...known, ...length };
  return one(statement, written.warnings);
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
