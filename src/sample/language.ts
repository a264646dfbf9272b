/** Languages of the sample (ISO 639-1). */
export type Language = 'en' | 'es' | 'pt' | 'fr' | 'de' | 'tr' | 'uk' | 'ar' | 'hi' | 'zh' | 'ko' | 'ja';

/** Texts in one language; `@` is a mention. */
export interface Phrases {
  readonly casts: readonly string[];
  readonly replies: readonly string[];
}

const lines = (text: string): string[] => text.trim().split(/\s*\n\s*/);
const phrases = (casts: string, replies: string): Phrases => ({ casts: lines(casts), replies: lines(replies) });

/** Casts in languages other than English, whose texts are in `phrase.ts` by channel. */
export const FOREIGN: Readonly<Record<Exclude<Language, 'en'>, Phrases>> = {
  es: phrases(
    `Buenos días a todos ☀️
    Hoy toca paella, ¿quién se apunta?
    Qué pena que el lunes llegue tan pronto 😩
    Alguien más oye la lluvia o soy yo
    🎉 ¡Felicidades @! Te lo has ganado`,
    `Totalmente de acuerdo
    ¡Qué bueno! 👏
    ¿Y cómo lo has hecho, @?`,
  ),
  pt: phrases(
    `Bom dia com pastel de nata e café ☕
    Alguém viu o jogo ontem? Que loucura ⚽
    Saudades do mar 🌊
    Finalmente sexta-feira!
    Obrigado @ pela ajuda com a mudança 🙏🏽`,
    `Concordo plenamente
    Que lindo 😍
    Conta mais, @`,
  ),
  fr: phrases(
    `Bonjour à toutes et à tous ☕
    Le pain du marché ce matin, un vrai bonheur 🥖
    Grève des trains, je rentre à vélo
    Quelqu'un a lu le dernier Ernaux ?
    Merci @ pour la balade d'hier 🌲`,
    `Tout à fait d'accord
    Magnifique !
    Tu as une photo, @ ?`,
  ),
  de: phrases(
    `Guten Morgen, erst mal Kaffee ☕
    Heute den ganzen Tag Regen, also Bücherwetter 📚
    Fahrrad repariert, Finger schwarz, Laune gut
    Wer kommt am Samstag mit auf den Flohmarkt?
    Danke @ für den Tipp mit dem Sauerteig 🥨`,
    `Sehe ich genauso
    Großartig 👌
    Erzähl mehr, @`,
  ),
  tr: phrases(
    `Günaydın, çaylar benden 🫖
    İstanbul'da bugün deniz çarşaf gibi
    Sonunda yağmur yağdı 🌧️
    @ ile vapurda simit keyfi
    Bu akşam maç var, kim geliyor? ⚽`,
    `Kesinlikle katılıyorum
    Eline sağlık 👏
    Nerede bu, @?`,
  ),
  uk: phrases(
    `Доброго ранку! Кава вже готова ☕
    Каштани знову цвітуть 🌳
    Дякую @ за пораду
    Хто що читає цього тижня? 📖
    Нарешті полагодив велосипед`,
    `Згоден
    Дуже гарно 💛
    Розкажи більше, @`,
  ),
  ar: phrases(
    `صباح الخير ☀️
    القهوة أولاً ثم كل شيء ☕
    شكراً @ على المساعدة 🙏
    أجمل غروب رأيته هذا العام
    من يقرأ معنا هذا الأسبوع؟ 📚`,
    `صحيح تماماً
    جميل جداً 👏
    أين هذا المكان يا @؟`,
  ),
  hi: phrases(
    `सुप्रभात! चाय तैयार है ☕
    आज बारिश में पकौड़े 🌧️
    धन्यवाद @ 🙏🏾
    कल का मैच देखा किसी ने? 🏏
    नई किताब शुरू की है 📖`,
    `बिल्कुल सही
    बहुत बढ़िया 👏
    और बताओ @`,
  ),
  zh: phrases(
    `早安，今天也要加油 💪
    下雨天最適合喝熱茶 🍵
    謝謝 @ 推薦的書 📚
    週末去爬山，有人要一起嗎？⛰️
    夜市的味道 😋`,
    `說得對
    太厲害了 👏
    @ 在哪裡拍的？`,
  ),
  ko: phrases(
    `좋은 아침이에요 ☀️
    오늘은 비 오니까 파전 🌧️
    @ 님 덕분에 좋은 책 읽었어요 📖
    퇴근하고 한강 산책
    드디어 자전거 고쳤다 🚲`,
    `완전 공감해요
    멋지다 👏
    어디예요 @ 님?`,
  ),
  ja: phrases(
    `おはようございます ☀️
    今日のラーメン 🍜 最高でした
    🇯🇵 @ さん、昨日はありがとうございました
    雨の日は読書 📚
    やっと自転車を直した`,
    `わかります
    すごい 👏
    @ さん、どこですか？`,
  ),
};
