// SPDX-License-Identifier: Apache-2.0
// Processor time of a process and of its children, those that have ended among them, of a processor, and memory (proc(5)).
import { readdirSync, readFileSync } from 'node:fs';

/** Linux counts in hundredths of a second for all programs. */
const TICK_MS = 10;

type Stat = { readonly parent: number; readonly ms: number };

export function readStat(pid: number): Stat | undefined {
  try {
    const text = readFileSync(`/proc/${pid}/stat`, 'utf8');
    // The name of the program may contain spaces.
    const fields = text.slice(text.lastIndexOf(')') + 2).split(' ');
    const ticks = fields.slice(11, 15).reduce((sum, field) => sum + Number(field), 0);
    return { parent: Number(fields[1]), ms: ticks * TICK_MS };
  } catch {
    return undefined; // It has ended.
  }
}

/** @returns milliseconds, in user and system mode */
export function processorTime(pid: number): number {
  const own = readStat(pid)?.ms ?? 0;
  const children = readdirSync('/proc').flatMap((name) => {
    const stat = /^\d+$/.test(name) ? readStat(Number(name)) : undefined;
    return stat?.parent === pid ? [stat.ms] : [];
  });
  return children.reduce((sum, ms) => sum + ms, own);
}

/** @returns milliseconds in which the first processor has been busy, whatever it did */
function busyTime(): number {
  const line = /^cpu0 (.*)$/m.exec(readFileSync('/proc/stat', 'utf8'))![1]!;
  const [user, nice, system, , , irq, softirq, steal] = line.split(' ').map(Number) as number[];
  return TICK_MS * (user! + nice! + system! + irq! + softirq! + steal!);
}

export type ProcessorUse = {
  /** Processor time of the process. */
  readonly cpuMs: number;
  /** What other programs used of the processor that the process has: the first one. */
  readonly otherMs: number;
  readonly ms: number;
};

/** @returns what a process has used since the call */
export function useOf(pid: number): () => ProcessorUse {
  const [used, busy, began] = [processorTime(pid), busyTime(), performance.now()];
  return () => {
    const [cpuMs, ms] = [processorTime(pid) - used, performance.now() - began];
    return { cpuMs, otherMs: Math.max(0, busyTime() - busy - cpuMs), ms };
  };
}

/** @returns the memory of a process without its children, in bytes */
export const residentBytes = (pid: number): number =>
  Number(/^VmRSS:\s+(\d+) kB/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))![1]) * 1024;
