// SPDX-License-Identifier: Apache-2.0
import { expect, test } from 'vitest';
import { readReplicas } from './runBatch.ts';

const info = (...lines: string[]) => ['# Replication', ...lines].join('\r\n');

test('replicas that follow a master count, those that load their data do not', () => {
  const replica = (number: number, state: string) => `slave${number}:ip=127.0.0.1,port=1,state=${state},offset=1,lag=0`;
  expect(readReplicas(info('role:master', 'connected_slaves:0'))).toBe(0);
  expect(readReplicas(info('role:master', replica(0, 'online'), replica(1, 'wait_bgsave')))).toBe(1);
});

test('a server that is not a master has no number of replicas', () => {
  expect(readReplicas(info('role:slave', 'master_link_status:up', 'connected_slaves:0'))).toBeUndefined();
  expect(readReplicas('')).toBeUndefined();
});
