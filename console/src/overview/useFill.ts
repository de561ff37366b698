import { useEffect, useState } from 'preact/hooks';
import type { SystemAnswer } from '../../../src/http/tenantContract.ts';
import { serverNow } from '../api/clock.ts';
import { useGet } from '../api/useGet.ts';
import { type Fill, fillOf } from '../logic/fillOf.ts';
import { ownSystem } from '../logic/ownSystem.ts';
import type { Report } from '../logic/reportRows.ts';

const HOUR = 3_600_000;
const EVERY = 60_000;

/** How much of the breaks of the last hour was filled with ads, 0 to 1, in all and by channel. */
export function useFill(): Fill {
  const systems = useGet<SystemAnswer[]>('/systems');
  const system = ownSystem(systems.data ?? []);
  const [start, setStart] = useState(() => serverNow() - HOUR);
  useEffect(() => {
    const timer = setInterval(() => setStart(serverNow() - HOUR), EVERY);
    return () => clearInterval(timer);
  }, []);
  const query = `start=${Math.round(start)}&interval=${HOUR}&by=channel`;
  const report = useGet<Report>(system === undefined ? null : `/systems/${system.id}/reports/breaks?${query}`);
  const [last, setLast] = useState<Report>();
  if (report.data !== undefined && report.data !== last) setLast(report.data);
  return fillOf(report.data ?? last);
}
