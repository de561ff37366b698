import { describe, expect, it } from 'vitest';
import { createKeyedGate } from './keyedGate.ts';

const leaveOf = async (entering: ReturnType<ReturnType<typeof createKeyedGate>['enter']>) => {
  const leave = await entering;
  if (typeof leave === 'string') throw new Error(`turned away: ${leave}`);
  return leave;
};

describe('a gate', () => {
  it('lets so many in for each key and the next in order as places become free', async () => {
    const gate = createKeyedGate({ concurrency: 1, queue: 2 });
    const order: string[] = [];
    const first = await leaveOf(gate.enter('a'));
    const second = leaveOf(gate.enter('a')).then((leave) => {
      order.push('second');
      leave();
    });
    const third = leaveOf(gate.enter('a')).then((leave) => {
      order.push('third');
      leave();
    });
    const other = await leaveOf(gate.enter('b'));
    expect(order).toEqual([]);
    first();
    await Promise.all([second, third]);
    expect(order).toEqual(['second', 'third']);
    other();
  });

  it('turns away who comes after a full line', async () => {
    const gate = createKeyedGate({ concurrency: 1, queue: 1 });
    const leave = await leaveOf(gate.enter('a'));
    const waiting = leaveOf(gate.enter('a'));
    expect(await gate.enter('a')).toBe('full');
    leave();
    (await waiting)();
    (await leaveOf(gate.enter('a')))();
  });

  it('forgets who gave up, and gives the place to the next', async () => {
    const gate = createKeyedGate({ concurrency: 1, queue: 5 });
    const leave = await leaveOf(gate.enter('a'));
    const impatient = new AbortController();
    const gaveUp = gate.enter('a', impatient.signal);
    const patient = leaveOf(gate.enter('a'));
    impatient.abort();
    expect(await gaveUp).toBe('aborted');
    expect(await gate.enter('a', impatient.signal)).toBe('aborted');
    leave();
    (await patient)();
  });

  it('counts a place that was left twice once', async () => {
    const gate = createKeyedGate({ concurrency: 1, queue: 0 });
    const leave = await leaveOf(gate.enter('a'));
    leave();
    leave();
    await leaveOf(gate.enter('a'));
    expect(await gate.enter('a')).toBe('full');
  });
});
