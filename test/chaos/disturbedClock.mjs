// SPDX-License-Identifier: Apache-2.0
// Loaded into a process before the product (`node --import`): moves its time of day by the milliseconds in the file of
// CLOCK_OFFSET_FILE, as a wrong system clock does. Monotonic time is not moved. It also notes in LAG_FILE when the event loop
// was late: the machine was overloaded, or the process was suspended.
import { appendFileSync, readFileSync } from 'node:fs';
import { isMainThread } from 'node:worker_threads';

const { CLOCK_OFFSET_FILE, LAG_FILE } = process.env;
const RealDate = Date;
const offset = CLOCK_OFFSET_FILE === undefined ? 0 : Number(readFileSync(CLOCK_OFFSET_FILE, 'utf8'));
const SAMPLE = 200;
/** Milliseconds. */
const LATE = 300;
/** Loading the product blocks the event loop for as long. */
const STARTED = 3000;

class MovedDate extends RealDate {
  constructor(...parts) {
    if (parts.length === 0) super(RealDate.now() + offset);
    else super(...parts);
  }
  static now() {
    return RealDate.now() + offset;
  }
}
globalThis.Date = MovedDate;

if (isMainThread && LAG_FILE !== undefined) setTimeout(watch, STARTED).unref();

function watch() {
  let expected = performance.now() + SAMPLE;
  setInterval(() => {
    const late = performance.now() - expected;
    // One line per delay: from and to, in milliseconds since 1970.
    if (late > LATE) appendFileSync(LAG_FILE, `${Math.round(RealDate.now() - late)} ${RealDate.now()}\n`);
    expected = performance.now() + SAMPLE;
  }, SAMPLE).unref();
}
