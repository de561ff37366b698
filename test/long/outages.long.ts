// SPDX-License-Identifier: Apache-2.0
// The outages of test/cluster/outages.system.ts, ten minutes each.
import { describe, test } from 'vitest';
import { expectOutage } from '../cluster/expectOutage.ts';
import { outagesOf } from '../cluster/outageCase.ts';

describe.concurrent('an outage', () => {
  test.each(outagesOf([600]))('of $store, $kind, for $seconds s', expectOutage, 3_600_000);
});
