import { useEffect, useState } from 'preact/hooks';
import { serverNow } from './clock.ts';

/** The time where the channels are, in milliseconds, told anew every `every` of them. */
export function useNow(every = 1000): number {
  const [now, setNow] = useState(serverNow);
  useEffect(() => {
    const timer = setInterval(() => setNow(serverNow()), every);
    return () => clearInterval(timer);
  }, [every]);
  return now;
}
