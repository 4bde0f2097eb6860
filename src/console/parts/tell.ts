import { notifications } from '@mantine/notifications';
import i18next from 'i18next';
import type { ApiError } from '../api/client.ts';
import { faultTextSoon } from '../i18n/fault-text.ts';
import { noticeTextSoon } from '../i18n/notice-text.ts';

/** A short word that something was done. */
export function tellDone(message: string): void {
  notifications.show({ message, color: 'nidaa', autoClose: 4_000, ...closes() });
}

/** What went wrong, where no place on the page is for it. */
export function tellFailed(error: Pick<ApiError, 'code' | 'message' | 'notice'>): void {
  void Promise.all([faultTextSoon(error.code), noticeTextSoon(error.notice)]).then(([known, details]) => {
    const message = known === undefined ? error.message : [known, details].filter(Boolean).join(' ');
    notifications.show({ message, color: 'red', autoClose: 8_000, role: 'alert', ...closes() });
  });
}

/** The button that closes a word, for who cannot see its cross. */
const closes = () => ({ closeButtonProps: { 'aria-label': i18next.t('close') } });
