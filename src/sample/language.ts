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
    🎉 ¡Felicidades @! Te lo has ganado
    Segundo café del día y todavía no son las diez
    El mejor libro que he leído este año, sin duda
    Mañana me voy a la montaña con @ y sin cobertura 🏔️
    ¿Qué música ponéis para concentraros?
    Por fin he arreglado la bicicleta 🚲`,
    `Totalmente de acuerdo
    ¡Qué bueno! 👏
    Jajaja me pasa igual
    ¿Y cómo lo has hecho, @?
    Mándame la receta, por favor
    No me lo creo`,
  ),
  pt: phrases(
    `Bom dia com pastel de nata e café ☕
    Alguém viu o jogo ontem? Que loucura ⚽
    Saudades do mar 🌊
    Finalmente sexta-feira!
    Obrigado @ pela ajuda com a mudança 🙏🏽
    A luz de Lisboa às seis da tarde não se explica
    Comecei a aprender violão, peço desculpa aos vizinhos 🎸
    Quem vai ao encontro de quinta com @ e comigo?
    Choveu o dia todo e o jardim agradece 🌱
    Receita nova: feijoada de cogumelos`,
    `Concordo plenamente
    Que lindo 😍
    Kkkkk verdade
    Conta mais, @
    Também quero!
    Parabéns 🎊`,
  ),
  fr: phrases(
    `Bonjour à toutes et à tous ☕
    Le pain du marché ce matin, un vrai bonheur 🥖
    Grève des trains, je rentre à vélo
    Quelqu'un a lu le dernier Ernaux ?
    Merci @ pour la balade d'hier 🌲
    J'ai raté ma tarte, mais elle était bonne quand même
    Il neige enfin ❄️
    Concert improvisé sur les quais avec @ 🎷
    Une semaine sans écran, qui relève le défi ?
    Le chat a encore dormi sur mon clavier`,
    `Tout à fait d'accord
    Magnifique !
    Mdr, pareil chez moi
    Tu as une photo, @ ?
    Je note l'adresse
    Bravo 👏🏻`,
  ),
  de: phrases(
    `Guten Morgen, erst mal Kaffee ☕
    Heute den ganzen Tag Regen, also Bücherwetter 📚
    Fahrrad repariert, Finger schwarz, Laune gut
    Wer kommt am Samstag mit auf den Flohmarkt?
    Danke @ für den Tipp mit dem Sauerteig 🥨
    Die Straßenbahn kam pünktlich. Ich wiederhole: pünktlich.
    Erste Tomaten vom Balkon 🍅
    Grüße an @, der das hier bestimmt liest
    Kann jemand einen guten Podcast über Geschichte empfehlen?
    Feierabend!`,
    `Sehe ich genauso
    Großartig 👌
    Echt jetzt?
    Erzähl mehr, @
    Gerne wieder
    Das muss ich ausprobieren`,
  ),
  tr: phrases(
    `Günaydın, çaylar benden 🫖
    İstanbul'da bugün deniz çarşaf gibi
    Sonunda yağmur yağdı 🌧️
    @ ile vapurda simit keyfi
    Bu akşam maç var, kim geliyor? ⚽
    Kedim yine klavyede uyudu 🐈
    Yeni kitaba başladım, çok güzel
    Hafta sonu için bir yer önerisi olan var mı?`,
    `Kesinlikle katılıyorum
    Eline sağlık 👏
    Hahaha aynen
    Nerede bu, @?
    Çok güzel olmuş`,
  ),
  uk: phrases(
    `Доброго ранку! Кава вже готова ☕
    Каштани знову цвітуть 🌳
    Дякую @ за пораду
    Хто що читає цього тижня? 📖
    Нарешті полагодив велосипед
    Вечір, балкон, тиша
    Спекла хліб, вийшло з третього разу 🍞
    Гуляли сьогодні з @ біля річки`,
    `Згоден
    Дуже гарно 💛
    Розкажи більше, @
    Теж так хочу
    Молодець!`,
  ),
  ar: phrases(
    `صباح الخير ☀️
    القهوة أولاً ثم كل شيء ☕
    شكراً @ على المساعدة 🙏
    أجمل غروب رأيته هذا العام
    من يقرأ معنا هذا الأسبوع؟ 📚
    مشينا اليوم مع @ على النيل
    مباراة رائعة الليلة ⚽`,
    `صحيح تماماً
    جميل جداً 👏
    أين هذا المكان يا @؟
    ألف مبروك`,
  ),
  hi: phrases(
    `सुप्रभात! चाय तैयार है ☕
    आज बारिश में पकौड़े 🌧️
    धन्यवाद @ 🙏🏾
    कल का मैच देखा किसी ने? 🏏
    नई किताब शुरू की है 📖
    दिल्ली की सर्दी और मूंगफली
    @ के साथ आज लंबी सैर`,
    `बिल्कुल सही
    बहुत बढ़िया 👏
    और बताओ @
    वाह!`,
  ),
  zh: phrases(
    `早安，今天也要加油 💪
    下雨天最適合喝熱茶 🍵
    謝謝 @ 推薦的書 📚
    週末去爬山，有人要一起嗎？⛰️
    夜市的味道 😋
    終於把腳踏車修好了
    和 @ 看了一場很棒的電影 🎬
    貓又睡在鍵盤上了`,
    `說得對
    太厲害了 👏
    哈哈哈我也是
    @ 在哪裡拍的？
    想吃！`,
  ),
  ko: phrases(
    `좋은 아침이에요 ☀️
    오늘은 비 오니까 파전 🌧️
    @ 님 덕분에 좋은 책 읽었어요 📖
    퇴근하고 한강 산책
    드디어 자전거 고쳤다 🚲
    주말에 @ 이랑 등산 갑니다 ⛰️
    커피 두 잔째인데 아직 오전`,
    `완전 공감해요
    멋지다 👏
    ㅋㅋㅋ 저도요
    어디예요 @ 님?
    축하해요 🎉`,
  ),
  ja: phrases(
    `おはようございます ☀️
    今日のラーメン 🍜 最高でした
    🇯🇵 @ さん、昨日はありがとうございました
    雨の日は読書 📚
    やっと自転車を直した
    猫がキーボードの上で寝ている 🐈
    週末は @ さんと山へ ⛰️
    新しいレンズを買ってしまった 📷
    桜、もうすぐですね 🌸`,
    `わかります
    すごい 👏
    笑
    @ さん、どこですか？
    おいしそう 😋
    おめでとうございます 🎉`,
  ),
};
