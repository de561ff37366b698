// SPDX-License-Identifier: Apache-2.0
// The table of store outages in docs/operating.md: each row is a test. Ten minutes of each are in test/long/outages.long.ts.
import { describe, test } from 'vitest';
import { expectOutage } from './expectOutage.ts';
import { outagesOf } from './outageCase.ts';

describe.concurrent('an outage', () => {
  test.each(outagesOf([5, 60]))('of $store, $kind, for $seconds s', expectOutage);
});
