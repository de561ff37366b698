import { useLayoutEffect } from 'preact/hooks';
import { holdUnsaved } from './unsaved.ts';

/** Asks before a tab is closed, or another page is gone to, over what is not saved. */
export function useLeaveGuard(isUnsaved: boolean): void {
  useLayoutEffect(() => {
    if (!isUnsaved) return;
    const release = holdUnsaved();
    const ask = (event: BeforeUnloadEvent) => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      release();
      removeEventListener('beforeunload', ask);
    };
  }, [isUnsaved]);
}
