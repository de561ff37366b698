// The key, kept for as long as the tab is open and nowhere else.
const NAME = 'midroll-key';

export const readKey = (): string | null => sessionStorage.getItem(NAME);
export const keepKey = (key: string): void => sessionStorage.setItem(NAME, key);
export const forgetKey = (): void => sessionStorage.removeItem(NAME);
