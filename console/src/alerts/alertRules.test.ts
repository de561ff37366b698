// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { schemaFaults } from '../../../src/http/admin/request/validate.ts';
import { alertRuleBody } from '../../../src/platform/alerts/contract/alertContract.ts';
import { defaultSeverities, thresholds } from '../../../src/platform/alerts/contract/alertValues.ts';
import { type AlertKind, bodyOf, formOf, newRuleForm, ruleInWords } from './alertRules.ts';

const kinds = Object.keys(thresholds) as AlertKind[];

test.each(kinds)(
  'a rule of the kind %s has its fields and defaults, and survives a round trip through the form',
  (kind) => {
    const body = bodyOf(newRuleForm(kind));
    expect(schemaFaults(alertRuleBody, body)).toEqual([]);
    const lists = { channels: [], labels: [], webhooks: [] };
    expect(body).toEqual({ kind, severity: defaultSeverities[kind], ...lists, forMinutes: 5, ...thresholds[kind] });
    const named = { ...body, name: 'x', runbook: 'https://example.com/' };
    expect(bodyOf(formOf(named as never))).toEqual(named);
  },
);

test('a rule in words names its threshold, time and channels', () => {
  const rule = { ...bodyOf(newRuleForm('fill')), channels: ['a', 'b'] };
  expect(ruleInWords(rule, (id) => id.toUpperCase())).toBe('Fill below 80% for 5 minutes on A, B');
  expect(ruleInWords({ ...rule, channels: ['a'], labels: ['sports'] }, String)).toBe(
    'Fill below 80% for 5 minutes on channels with the label sports, a',
  );
  expect(ruleInWords({ ...rule, channels: [], forMinutes: 1 }, String)).toBe(
    'Fill below 80% for 1 minute on any channel',
  );
});
