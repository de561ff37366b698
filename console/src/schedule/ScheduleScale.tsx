// SPDX-License-Identifier: Apache-2.0
import type { ScheduleView } from './scheduleView.ts';

const marks: Readonly<Record<ScheduleView, readonly string[]>> = {
  hour: ['0', '3', '6', '9', '12 min'],
  day: [':00', ':10', ':20', ':30', ':40', ':50'],
  week: ['0:00', '3:00', '6:00', '9:00', '12:00', '15:00', '18:00', '21:00'],
};

/** What the columns of the schedule mean. */
export const ScheduleScale = ({ view }: { readonly view: ScheduleView }) => (
  <div class="schedule-row scale" aria-hidden="true">
    <span />
    <div class="marks">
      {marks[view].map((mark) => (
        <span key={mark}>{mark}</span>
      ))}
    </div>
  </div>
);
