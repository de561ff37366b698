// SPDX-License-Identifier: Apache-2.0
// Hours of a schedule on air, with an operator, origins that fail and restarts, and a viewer who reads along.
import { expect } from 'vitest';
import { seededRandom } from '../../../seededRandom.ts';
import { watch } from '../../viewer.ts';
import { collectAired } from './airedSegments.ts';
import {
  type AsRunRow,
  differencesOfAsRun,
  differencesOfGuide,
  differencesOfStarts,
  differencesOfXmltv,
  type Programme,
  programmesIn,
} from './comparedToAired.ts';
import { type HoursStage, openHours } from './hoursStage.ts';
import { createOperator } from './operateSchedule.ts';
import { type Mix, type PlannedEntry, planHours } from './plannedHours.ts';

/** `isQuiet`: it changes nothing. */
type Event = { readonly at: number; readonly run: () => Promise<unknown>; readonly isQuiet?: true };
type Plan = {
  readonly mix: Mix;
  readonly from: number;
  readonly until: number;
  readonly lives: readonly LiveEntry[];
  readonly random: () => number;
};
type Operator = ReturnType<typeof createOperator>;
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const GUIDES_IN_AN_HOUR = 4;
const iso = (at: number): string => new Date(at).toISOString();

type LiveEntry = PlannedEntry & { readonly start: number; readonly plays: { readonly seconds: number } };
const livesOf = (planned: readonly PlannedEntry[]): LiveEntry[] =>
  planned.flatMap((entry) => ('live' in entry.plays && entry.start !== undefined ? [entry as LiveEntry] : []));
const isOpen = ({ plays }: PlannedEntry): boolean => 'live' in plays && ['join', 'move'].includes(plays.live);

/** Origins fail, and programmes without an end are ended before or after their planned end. */
function eventsOfLives(stage: HoursStage, operator: Operator, { lives, random }: Plan): Event[] {
  const { clock, origins } = stage;
  return lives.flatMap((entry): Event[] => {
    const { id, start, plays } = entry;
    const at = (share: number): number => start + Math.round(plays.seconds * 1000 * share);
    if (isOpen(entry)) return [{ at: at(0.7 + random()), run: () => operator.end(id) }];
    if (!('live' in plays && plays.live === 'failing')) return [];
    const fail = async () => {
      const recover = origins
        .get(id)!
        .fail(({ kind }) => (kind === 'segment' ? undefined : { does: 'respond', status: 503 }));
      operator.done.push(`${iso(clock.now())} ${id} fails`);
      void clock.sleep(20_000 + random() * 70_000).then(recover);
    };
    return [{ at: at(0.3), run: fail }];
  });
}

/** What happens, in order: edits, restarts and guides that are read, away from each other and from the starts of live programmes. */
function eventsOf(stage: HoursStage, operator: Operator, plan: Plan, readGuide: Event['run']): Event[] {
  const { mix, from, until, lives, random } = plan;
  const events = eventsOfLives(stage, operator, plan);
  const sometime = (around: number, low: number, high: number): number => {
    for (;;) {
      const at = low + Math.floor(random() * (high - low));
      if (
        [...events.map((one) => one.at), ...lives.map(({ start }) => start)].every(
          (other) => Math.abs(other - at) > around,
        )
      )
        return at;
    }
  };
  const restart = async () => {
    operator.done.push(`${iso(stage.clock.now())} restart`);
    await stage.restart(Math.floor(2000 + random() * 15_000));
  };
  for (let index = 0; index < mix.restarts; index += 1) {
    // The first one while a live programme is on air.
    const { start, plays } = lives[0]!;
    const [low, high] = index === 0 ? [start, start + plays.seconds * 1000] : [from, until];
    events.push({ at: sometime(MINUTE_MS, low, high), run: restart });
  }
  for (let index = 0; index < mix.edits; index += 1)
    events.push({ at: sometime(30_000, from + 5 * MINUTE_MS, until - 10 * MINUTE_MS), run: operator.edit });
  for (let index = 0; index < mix.hours * GUIDES_IN_AN_HOUR; index += 1)
    events.push({ at: sometime(20_000, from, until), run: readGuide, isQuiet: true });
  return events.sort((one, other) => one.at - other.at);
}

/** A viewer who reads often when something happens, else as rarely as the window allows. */
async function watchAll(stage: HoursStage, times: readonly number[]) {
  const aired = collectAired();
  const pollAfter = (now: number): number => {
    if (times.some((at) => now > at - 8000 && now < at + 25_000)) return 3000;
    const next = Math.min(...times.filter((at) => at > now)) - 7000 - now;
    return Math.max(1000, Math.min(50_000, next));
  };
  const viewer = await watch({
    ...{
      clock: stage.clock,
      liveUrl: stage.midroll().liveUrl,
      channel: 'one',
      apiKey: 'key',
      fetches: false,
      pollAfter,
    },
    mayBeUnavailable: stage.isAway,
    onListed: (rung, segment) => rung === 'v0' && aired.add(segment),
  });
  return { viewer, aired };
}

/** @returns how much was compared */
export async function runHours(mix: Mix, seed: number) {
  const random = seededRandom(seed);
  const stage = await openHours();
  const { clock, api } = stage;
  const from = Math.ceil(clock.now() / 1000) * 1000 + 2 * MINUTE_MS;
  const until = from + mix.hours * HOUR_MS;
  const planned = planHours(mix, from, random);
  await stage.createChannel();
  const entries: object[] = [];
  for (const entry of planned) entries.push(await stage.toEntry(entry));
  await api('PUT', '/schedule', { entries, breaks: { every: 150, notInLast: 60, maxDuration: 24 } });
  await api('PATCH', '', { state: 'enabled' });
  const { key } = await api('POST', '/distributors', { name: 'Reader' });
  const operator = createOperator(stage, random);
  await operator.look();

  const guides: { readonly at: number; readonly programmes: readonly Programme[]; readonly xmltv: string[] }[] = [];
  const readGuide = async () => {
    const url = `${stage.midroll().liveUrl}/guide/one/${key}`;
    const [json, xmltv] = await Promise.all([fetch(`${url}/guide.json`), fetch(`${url}/xmltv.xml`)]);
    const { programmes } = (await json.json()) as { programmes: readonly Programme[] };
    guides.push({ at: clock.now(), programmes, xmltv: differencesOfXmltv(await xmltv.text(), programmes) });
  };
  const lives = livesOf(planned);
  const events = eventsOf(stage, operator, { mix, from, until, lives, random }, readGuide);
  const busy = [...events.filter(({ isQuiet }) => !isQuiet).map(({ at }) => at), ...lives.map(({ start }) => start)];
  const { viewer, aired } = await watchAll(stage, busy);
  for (const { at, run } of events) {
    await clock.sleep(Math.max(0, at - clock.now()));
    await run();
    expect(viewer.faults, operator.done.join('\n')).toEqual([]);
  }
  await clock.sleep(until - clock.now());
  await viewer.leave();
  await readGuide();

  const rows: AsRunRow[] = [];
  for (let total = 1; rows.length < total; ) {
    const page = await api('GET', `/as-run?from=${iso(from)}&to=${iso(until)}&limit=100&offset=${rows.length}`);
    rows.push(...page.items);
    total = page.total;
  }
  const segments = aired.all();
  const seen = programmesIn(rows);
  const passed = lives.filter(isOpen).flatMap(({ id }) => seen.get(id) ?? []);
  const { met, differences } = differencesOfStarts(operator.starts, segments, stage.ofEntry, passed);
  const said = operator.done.join('\n');
  expect(viewer.faults, said).toEqual([]);
  expect(differencesOfAsRun(rows, segments), said).toEqual([]);
  expect(differences, said).toEqual([]);
  expect(
    guides.flatMap(({ at, programmes, xmltv }) => [...xmltv, ...differencesOfGuide(programmes, seen, from, at)]),
    said,
  ).toEqual([]);
  expect(stage.bugs(), said).toEqual([]);
  return {
    segments: segments.length,
    rows: rows.length,
    starts: met,
    guides: guides.length,
    done: operator.done.length,
  };
}
