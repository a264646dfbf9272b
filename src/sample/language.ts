/** Languages of the sample (ISO 639-1). */
export type Language = 'en' | 'es' | 'pt' | 'fr' | 'de' | 'tr' | 'uk' | 'ar' | 'hi' | 'zh' | 'ko' | 'ja';
