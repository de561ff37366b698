// SPDX-License-Identifier: Apache-2.0
// Turns the phases of all installations into measured costs, and prints them as tables.
import { cpus } from 'node:os';
import type { Measured } from './costs.ts';
import { type EventCosts, eventCosts, type Use } from './eventCosts.ts';
import type { Phases } from './measureInstallations.ts';
import type { SessionMemory } from './redisMemory.ts';
import { type RequestCost, requestCosts } from './requestRatios.ts';
import { SIZE, type Size, sizeOf, viewerHour } from './sizing.ts';

export type Runs = {
  /** Installations of two nodes: sessions in PostgreSQL and in Redis, with sticky and with random routing. */
  readonly counted: readonly Phases[];
  /** With Redis: one node, two with sticky routing, two with random routing. */
  readonly loaded: readonly [one: Phases, sticky: Phases, random: Phases];
  /** One node, all of whose viewers play their ads. */
  readonly busy: Phases;
  readonly memory: readonly SessionMemory[];
};

const keyOf = ({ shape }: Phases): string => `${shape.sessions} ${shape.routing}`;

export function measuredOf(runs: Runs): Measured {
  const { counted, loaded, busy, memory } = runs;
  const [one, sticky, random] = loaded.map((phases) => eventCosts(phases)) as [EventCosts, EventCosts, EventCosts];
  const playing = eventCosts(busy).ad;
  /** Processor time and calls of Redis are measured under load, where calls are batched; everything else is counted. */
  const withTimes = (phases: Phases): EventCosts => {
    const costs = eventCosts(phases);
    const stored = phases.shape.routing === 'sticky' ? sticky : random;
    const timed = (event: 'visit' | 'minute' | 'decision' | 'ad', { nodeMs }: Use): Use => {
      const { redisCalls, redisBytes, redisMs } = phases.shape.sessions === 'redis' ? stored[event] : costs[event];
      const own = { ...costs[event], redisCalls, redisBytes, redisMs, nodeMs: Math.max(0, nodeMs) };
      // What is left of reading statistics and of reports is less than two phases differ by.
      return phases.shape.sessions === 'redis' ? { ...own, postgresMs: 0 } : own;
    };
    return {
      ...costs,
      visit: timed('visit', one.visit),
      minute: timed('minute', one.minute),
      decision: timed('decision', one.decision),
      ad: { ...timed('ad', playing), postgresMs: playing.postgresMs },
    };
  };
  const rows = counted.flatMap(({ rowBytes }) => Object.entries(rowBytes));
  return {
    machine: `${cpus()[0]?.model ?? 'unknown'}, ${cpus().length} processors, Node ${process.version}`,
    costs: Object.fromEntries(counted.map((phases) => [keyOf(phases), withTimes(phases)])),
    rereadMs: memory[0]!.read,
    rowBytes: Object.fromEntries(
      rows.flatMap(([name, { rows: count, bytes }]) => (count < 100 ? [] : [[name, bytes / count]])),
    ),
    redisMemory: Object.fromEntries(memory.map((one) => [String(Math.round(one.responseBytes / 1024)), one])),
  };
}

const write = (name: string, columns: readonly (string | number)[]) =>
  console.log(
    name.padEnd(44) +
      columns
        .map((value) =>
          typeof value === 'number' ? value.toLocaleString('en', { maximumSignificantDigits: 3 }) : value,
        )
        .map((text) => text.padStart(20))
        .join(''),
  );

function printRatios(costs: readonly RequestCost[]): void {
  write('\nA manifest, sessions in Redis', ['CPU ms', 'with idle work', 'ratio', 'least', 'greatest', 'Redis calls']);
  for (const { name, nodeMs, grossMs, ratio, rereads } of costs) write(name, [nodeMs, grossMs, ...ratio, rereads]);
}

const SIZES = [10_000, 1_000_000, 10_000_000];

export function printReport(runs: Runs, measured: Measured): void {
  const names = Object.keys(measured.costs);
  write('\nA viewer-hour', names);
  const hours = names.map((name) => viewerHour(measured.costs[name]!));
  for (const key of Object.keys(hours[0]!) as (keyof (typeof hours)[number])[])
    write(
      key,
      hours.map((hour) => hour[key]),
    );
  for (const event of ['visit', 'minute', 'decision', 'ad'] as const) {
    write(`\nOne ${event}`, names);
    for (const key of Object.keys(measured.costs[names[0]!]![event]) as (keyof Use)[])
      write(
        key,
        names.map((name) => measured.costs[name]![event][key]),
      );
  }
  for (const phases of runs.counted) console.log(phases.shape.name, 'breaks', phases.outcomes);
  printRatios(requestCosts(runs.loaded[0], runs.loaded));
  write('\nA session in Redis, bytes', ['opened', 'watched', 'each break', 'read: node ms', 'Redis ms']);
  for (const { responseBytes, opened, watched, perBreak, read } of runs.memory)
    write(`ad response of ${responseBytes} bytes`, [opened, watched, perBreak, read.nodeMs, read.redisMs]);
  write('\nViewers at the peak', SIZES);
  const sizes = SIZES.map((viewers) => sizeOf(measured, measured.costs['redis sticky']!, { viewers, ...SIZE }));
  for (const key of Object.keys(sizes[0]!) as (keyof Size)[])
    write(
      key,
      sizes.map((size) => size[key]),
    );
  write('\nBytes of a row', []);
  for (const [name, bytes] of Object.entries(measured.rowBytes)) write(name, [bytes]);
}
