/**
 * Conversations in languages of Europe other than English. The format is that of `parseScript`; `#food` before an opening
 * names its channel.
 */
export const EUROPE = {
  es: `
#food Hoy toca paella, ¿quién se apunta? Hay para [seis|ocho].
  Yo llevo el pan y las ganas 🙋
    Con eso basta. A las dos.
  ¿Con o sin chorizo?
    Sin. No empecemos.
  Guárdame un poco del socarrat, por favor.
#football Qué final de partido ⚽ Todavía me tiemblan las manos.
  El portero se merece una estatua.
  Yo lo oí por la radio, casi se me quema la cena.
    ¿Y se quemó?
      Se quemó.
#books Terminé la novela a las [tres|dos] de la mañana 📚 ¿Con quién hablo yo ahora de ese final?
  Conmigo. ¿Tú crees que ella lo sabía?
    Desde el principio. Relee la carta.
  ¡No cuentes nada, voy por la mitad!
Buenos días a todos ☀️ Ventana abierta, café y ni una reunión hasta las [once|diez].
  Qué envidia. Yo ya llevo dos.
  ¿Café solo o con leche?
    Solo. Hoy no hay leche ni para el gato.
#garden Las primeras fresas del balcón 🍓 Son [tres|cuatro], pero son mías.
  ¿Las compartes?
    Ya no existen.
  Las mías se las comió un mirlo. Muy contento, el mirlo.
#travel Perdí el tren en [Zaragoza|Valladolid] y acabé en la fiesta de un pueblo. No me arrepiento.
  Así empiezan los mejores viajes.
  ¿Había verbena?
    Hasta las cinco. Me enseñaron a bailar jota, mal.
Mudanza terminada. Gracias @ por subir el sofá [cuatro|cinco] pisos 🙏
  @> Mi espalda te manda saludos.
    Dile que hay cena el sábado.
  ¿Ya tenéis cortinas?`,
  pt: `
#food Bom dia com pastel de nata e café ☕ O [segundo|terceiro] já não conta.
  A partir do segundo é almoço.
  Com canela ou sem?
    Com muita. Há regras.
#football Alguém viu o jogo ontem? Que loucura, aquele golo aos [noventa|noventa e três].
  Acordei o prédio inteiro.
    Então eras tu!
  O meu avô atirou o boné pela janela. Ainda não o encontrámos.
Saudades do mar 🌊 Faltam [nove|doze] dias.
  Este ano vais para onde?
    Para o sítio do costume. O mesmo banco, a mesma sombra.
  Eu mando-te uma fotografia todos os dias até lá.
#music Descobri um disco do meu pai com uma dedicatória de [1974|1981]. Está impecável 🎶
  O que diz a dedicatória?
    "Para dançares na cozinha." E ele dançava.
  Que maravilha. Põe a tocar hoje.
Obrigado @ pela ajuda com a mudança 🙏🏽 Ainda não sei onde estão os [pratos|copos].
  @> Estão na caixa que diz "livros". Não perguntes.
    Encontrei! E os livros?
  Da próxima vez, casa com elevador.
#garden Choveu finalmente e as [couves|alfaces] até parecem outras 🌱
  Aqui nem uma gota.
  Agora vêm os caracóis.
    Já vieram. Estão a jantar.
#cats O gato dormiu em cima do teclado e mandou [três|duas] mensagens ao meu chefe.
  E o que respondeu o chefe?
    "De acordo."
  Promovam esse gato.`,
  fr: `
#food Le pain du marché ce matin, un vrai bonheur 🥖 Il n'en reste que [la moitié|le quignon].
  Le quignon se mange dans la rue, c'est la loi.
  Quel stand ?
    Celui tout au fond, avec la dame qui rit.
#travel Grève des trains, je rentre à vélo. [Quarante|Trente] kilomètres, du vent, et un coucher de soleil pour moi tout seul.
  Finalement, tu y gagnes.
    Demande à mes jambes demain.
  Tu passes par le canal ?
    Oui, jusqu'à l'écluse, puis à travers champs.
#books Quelqu'un a lu le dernier Ernaux ? Je l'ai fini d'une traite [hier soir|dans le métro].
  Oui, et j'ai raté ma station.
    Moi aussi !
  Je l'ai offert à ma mère. Elle m'a appelée le lendemain, très tôt.
Bonjour à toutes et à tous ☕ Il pleut, j'ai des chaussettes sèches, tout va bien.
  La définition du luxe.
  Ici, grand soleil. Je vous en envoie un peu.
    Bien reçu, merci, par la fenêtre de gauche.
#film Vu hier dans une salle presque vide. Nous étions [quatre|cinq] et nous avons applaudi quand même 🎬
  C'était quoi ?
    Un vieux Varda, copie neuve.
  Applaudir à quatre, il n'y a rien de plus beau.
Merci @ pour la balade d'hier 🌲 J'ai encore des [aiguilles de pin|feuilles] dans les poches.
  @> On remet ça dimanche ?
    Même heure, mêmes chaussures.
  Vous avez vu les champignons près du ruisseau ?`,
  de: `
#books Heute den ganzen Tag Regen, also Bücherwetter 📚 Kanne Tee, Decke, [zweihundert|dreihundert] Seiten.
  Was liest du?
    Einen Krimi, in dem bisher nur gekocht wird. Ich bin begeistert.
  Genau so sieht es hier auch aus, nur mit Kakao.
#cycling Fahrrad repariert, Finger schwarz, Laune gut. Es war [das Tretlager|die Kette|ein Steinchen].
  Mit Kernseife und Zucker geht das ab.
    Tatsächlich! Danke, ich darf wieder ans Sofa.
  Und das Knacken?
    Weg. Ich fahre jetzt langsam aus Vorsicht.
Wer kommt am Samstag mit auf den Flohmarkt? Ich suche [eine Lampe|einen Stuhl] und finde bestimmt etwas anderes.
  Ich! Letztes Mal kam ich mit einem Akkordeon heim.
    Und, kannst du es inzwischen?
      Ein Lied. Die Nachbarn kennen es auch schon.
  Wann geht ihr los?
    Um sieben. Die guten Sachen sind um acht weg.
#food Danke @ für den Tipp mit dem Sauerteig 🥨 Der [dritte|vierte] Versuch ist tatsächlich Brot.
  @> Siehst du! Warm stellen und in Ruhe lassen.
  Wie ist die Kruste?
    Man hört sie bis in den Flur.
#garden Die Schnecken haben gewonnen. [Elf|Neun] Salate, ein Abend.
  Mein Beileid. Bei uns waren es die Bohnen.
  Bierfalle?
    Sie haben getrunken und dann gegessen.
Guten Morgen, erst mal Kaffee ☕ Die Bahn hat [zwanzig|vierzig] Minuten, ich habe ein Buch.
  So muss man das sehen.
  Welcher Bahnsteig? Ich stehe auf der acht.
    Auch acht! Ich winke mit dem Buch.`,
  tr: `
Günaydın, çaylar benden 🫖 Simitler [kimden|senden] peki?
  Simit bende, beş dakikaya oradayım.
    Susamlısından olsun.
  Bana bir ince belli, demli lütfen.
#travel İstanbul'da bugün deniz çarşaf gibi. Vapurun arkasında [on|yirmi] martı.
  Hangi iskele?
    Kadıköy. Sol tarafta oturun.
  Şehirden uzaktayım, bu kare iyi geldi.
Sonunda yağmur yağdı 🌧️ Balkondaki [nane|fesleğen] bile gülümsüyor.
  Bizim sokağı es geçti yine.
  Toprak kokusu geldi mi?
    Geldi, bütün pencereleri açtım.
@ ile vapurda simit keyfi. Martılar [üçüncü|ikinci] simidi istedi, verdik.
  @> Benim hakkımı martılar yedi yani.
    Yarın telafi ederiz.
  Fotoğraf yok mu?
#football Bu akşam maç var, kim geliyor? Bizde [yedi|altı] kişilik yer var ⚽
  Ben geliyorum, çekirdek benden.
    O zaman kesin kazanırız.
  Babam da gelsin mi? Çok bağırır ama.
    Bağıran lazım zaten.
#food Annemin mercimek çorbası, tarifi hâlâ "[göz kararı|biraz daha]" 🍲
  En doğru ölçü odur.
  Limonu sonradan mı koyuyor?
    Masada, herkes kendi sıkar.`,
  uk: `
Доброго ранку! Кава вже готова ☕ Сьогодні з [корицею|кардамоном].
  Мені без цукру, будь ласка.
  У нас ще темно, але вже пахне хлібом.
    Пекарня на розі?
      Вона. Біжу по булочки.
#photography Каштани знову цвітуть 🌳 Зняв ту саму алею [п'ятий|третій] рік поспіль.
  Покажи всі роки поруч!
    Увечері зберу.
  Ніби запахло крізь екран.
Дякую @ за пораду, двері більше не [скриплять|заїдають].
  Мило чи олія?
    Звичайний олівець! Хто б подумав.
  А в мене тепер скриплять навмисне, замість дзвінка.
#books Хто що читає цього тижня? 📖 Я на сторінці [сорок|двісті] й боюся, що закінчиться.
  Перечитую листи Лесі Українки. Повільно.
    Чудовий вибір на осінь.
  Детектив, де вбивця явно садівник.
#cycling Нарешті полагодив велосипед. Лишилася [одна|зайва] деталь, але їде.
  Зайва деталь — то на щастя.
  Гальма перевір!
    Перевірив об паркан. Паркан цілий.
#food Борщ на [другий|третій] день. Більше мені нічого не треба.
  З пампушками?
    Часнику не пошкодував.
  На третій він ще кращий, потерпи.`,
} as const;
