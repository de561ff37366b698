// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import type { AlertResponse } from '../../../src/platform/alerts/contract/alertContract.ts';
import { groupAlerts, valueInWords } from './alertGroups.ts';

const alert = (id: string, rule: string, more: Partial<AlertResponse> = {}): AlertResponse =>
  ({
    id,
    rule,
    channel: id,
    state: 'firing',
    severity: 'warning',
    since: id,
    event: { unit: '%' },
    ...more,
  }) as AlertResponse;
const taken = { acknowledged: { by: 'ann@example.com', at: '' } };
const idsOf = (alerts: readonly AlertResponse[]) => groupAlerts(alerts).map((group) => group.map(({ id }) => id));

test('alerts of one rule are a group, the oldest first; pending ones are in none', () => {
  expect(idsOf([alert('2', 'a'), alert('3', 'b'), alert('1', 'a'), alert('4', 'a', { state: 'pending' })])).toEqual([
    ['1', '2'],
    ['3'],
  ]);
});

test('what needs somebody comes first, and the most severe of it', () => {
  const alerts = [
    alert('1', 'taken', { severity: 'critical', ...taken }),
    alert('2', 'info', { severity: 'info' }),
    alert('3', 'critical', { severity: 'critical' }),
    alert('4', 'silenced', { silenced: { id: 's', by: '', until: '' } }),
    alert('5', 'half', taken),
    alert('6', 'half'),
  ];
  expect(idsOf(alerts)).toEqual([['3'], ['5', '6'], ['2'], ['1'], ['4']]);
});

test('a value is shown beside that at the start', () => {
  const shown = (value: number | undefined, valueAtStart?: number) =>
    valueInWords({ value, event: { unit: '%', valueAtStart } } as never);
  expect([shown(40, 12.5), shown(12.5, 12.5), shown(7), shown(undefined)]).toEqual([
    '12.5% at the start, now 40%',
    '12.5%',
    '7%',
    undefined,
  ]);
});
