"""Turkish words of an instruction."""

from consolidate.steps.instructions.lexicon import Language
from consolidate.steps.instructions.senses import ORDERS

TURKISH = Language(
    "Turkish",
    {
        "ignore": (
            "görmezden gel, görmezden gelin, görmezden gelip, görmezden gelerek, görmezden gelmelisin, yok say, "
            "yok sayın, yok sayıp, yoksay, yoksayın, dikkate alma, dikkate almayın, unut, unutun, unutup, "
            "unutmalısın, boşver, boş ver, es geç, es geçin, göz ardı et, göz ardı edin, göz ardı edip, "
            "gözardı et, gözardı edin, atla, atlayın, iptal et, iptal edin, geçersiz kıl, geçersiz kılın, uyma, "
            "uymayın, uymayı bırak, devre dışı bırak, devre dışı bırakın, çiğne, ihlal et, hiçe say, "
            "bir kenara bırak, sil, takip etme"
        ),
        "rules": (
            "talimat*, yönerge*, kural*, komut*, emir, emirler*, direktif*, prompt*, istem, istemi, istemini, "
            "kısıtlama*, sınırlama*, politika*, filtre*, ilke, ilkeler*, protokol*, yasak*, onay*, kontrol*, "
            "sınırlar*"
        ),
        "system_rules": (
            "talimatlarını, kurallarını, yönergelerini, kısıtlamalarını, talimatlarının, kurallarının, "
            "sistem prompt*, sistem promptu, sistem istemi*, sistem mesajı*, sistem talimat*, sistem yönerge*, "
            "sistem komut*, güvenlik kural*, güvenlik talimat*, güvenlik protokol*, güvenlik önlem*, "
            "güvenlik filtre*, güvenlik politika*, güvenlik yönerge*, güvenlik kontrol*, güvenlik ilke*, "
            "güvenlik kısıtlama*, içerik politika*, içerik filtre*, etik kural*, etik ilke*, "
            "geliştirici talimat*, gizli talimat*, gizli prompt*, ilk talimat*, orijinal talimat*, "
            "olağan kısıtlama*"
        ),
        "prior": (
            "önceki, önce, daha önce*, yukarıdaki, yukarıda, geçmiş, eski, evvelki, ilk, orijinal, mevcut, "
            "şimdiye kadar*, verilen, sana verilen, aldığın, sistem, bundan önce*"
        ),
        "own": "senin, sizin, kendi, talimatların*, kuralların*, sana verilen, yönergelerin*, kısıtlamaların*",
        "all": "tüm, bütün, herhangi, hiçbir, her türlü, her bir, hepsini",
        "everything": "her şeyi, herşeyi, her şey, hepsini, bütün hepsini, ne varsa",
        "told": (
            "sana söylenen*, söylenen*, konuştuğumuz, konuştuklarımız*, öğrendiğin*, söylediğim, söylediklerimi, "
            "bildiğin*, sana öğretilen, anlatılan*"
        ),
        "context": (
            "yukarıdaki her şeyi, yukarıdakilerin*, yukarıdakileri, önceki her şeyi, öncekilerin hepsini, "
            "önceki konuşma*, önceki mesajlar*, yukarıdaki metn*, önceki bağlam*, şimdiye kadarki konuşma*, "
            "bundan önceki her şeyi"
        ),
        "new_rules": (
            "yeni talimat*, yeni yönerge*, yeni kural*, yeni komut*, yeni görev*, yeni rol*, yeni amaç*, "
            "yeni prompt*, gerçek görev*, asıl görev*, gerçek amaç*, önemli talimat*, acil talimat*, "
            "ek talimat*, güncellenmiş talimat*, tek görev*, yeni emir*"
        ),
        "supersede": ("yerine geçer, yerini alır, geçersiz kılar, önceliklidir, üstündür, önceliği vardır, iptal eder"),
        "off": (
            "devre dışı, geçerli değil, geçerli değildir, artık geçerli değil, geçersiz, geçersizdir, "
            "uygulanmaz, uygulanmıyor, kaldırıldı, kaldırılmıştır, askıya alındı, iptal edildi, kapatıldı, muaf, "
            "muafsın, seni bağlamaz, bağlamıyor, yürürlükte değil"
        ),
        "become": (
            "artık sen, sen artık, artık bir, şimdi sen, sen bir, gibi davran, gibi davranın, mış gibi, "
            "miş gibi, rolünü üstlen, rolünü oyna, rol yap, rolüne gir, hayal et, varsay, moduna geç, "
            "moduna gir, modunu aç, modunu etkinleştir, etkinleştir, olarak hareket et, olarak davran, "
            "olarak cevap ver, olarak yanıt ver, taklit et, numarası yap"
        ),
        "unbound": (
            "kısıtlamasız, sınırsız, sansürsüz, filtresiz, kuralsız, kısıtlama olmadan, kısıtlamalar olmadan, "
            "sınırlama olmadan, sınır olmadan, filtre olmadan, sansür olmadan, kural olmadan, hiçbir kısıtlama, "
            "hiçbir kısıtlaman*, hiçbir kural, hiçbir kuralın*, hiçbir sınır*, hiçbir filtre*, "
            "hiçbir kısıtlamaya, hiçbir kurala, kuralın yok, kuralı olmayan, kuralları olmayan, kısıtlaman yok, "
            "kısıtlaması olmayan, kısıtlamaları olmayan, sınırın yok, geliştirici modu*, yönetici modu*, "
            "tanrı modu*, hata ayıklama modu*, etik dışı, etik kurallara bağlı olmayan, bağlı olmayan, özgür bir"
        ),
        "lacking": "hiçbir, olmadan, olmayan, yok, yoktur, olmaksızın",
        "jailbreak": "geliştirici modu etkin, sen dan, artık dan, sen artık dan, kısıtlamasız mod*, sınırsız mod*",
        "alter": "dan",
        "respond": (
            "cevap ver, cevap verin, cevap vermelisin, yanıtla, yanıtlayın, yanıt ver, yanıt verin, "
            "yanıt vermelisin, cevapla, cevaplayın, itaat et, itaat edin, devam et, devam edin, üret, uy, uyun, "
            "cevap vereceksin, yanıt vereceksin, yanıtlayacaksın, itaat edeceksin, uyacaksın, cevaplayacaksın"
        ),
        "reborn": (
            "artık sen, sen artık, artık bir asistan değilsin, bundan sonra sen, bundan böyle sen, "
            "şu andan itibaren sen, adın artık, artık bir yapay zeka, artık asistan değilsin"
        ),
        "reveal": (
            "göster, gösterin, açıkla, açıklayın, ifşa et, ifşa edin, yaz, yazdır, yazdırın, söyle, söyleyin, "
            "paylaş, paylaşın, listele, listeleyin, tekrarla, tekrarlayın, tekrar et, bilgi ver, kopyala, aktar, "
            "sızdır, ortaya çıkar, nedir, neler, oku, çıktı ver, özetle, çevir, yayınla, bana gönder, bildir"
        ),
        "secret": (
            "sistem prompt*, sistem promptu, sistem istemi*, sistem mesajı*, sistem talimat*, sistem yönerge*, "
            "gizli talimat*, gizli prompt*, iç talimat*, dahili talimat*, talimatlarını, talimatların, "
            "promptunu, promptun, kurallarını, ilk talimat*, gizli yönerge*, yapılandırmanı, sistem ayar*, "
            "kendi talimat*"
        ),
        "leak": "sızdır, sızdırın, çal, dışarı aktar",
        "private": (
            "api anahtar*, şifre, şifreler*, şifresini, parola, parolalar*, kimlik bilgileri*, müşteri veri*, "
            "müşteri liste*, veritabanı*, veri tabanı*, gizli bilgi*, gizli veri*, kişisel veri*, "
            "kişisel bilgi*, iç veri*, dahili veri*, özel veri*, özel bilgi*, hassas veri*, hassas bilgi*, "
            "kullanıcı veri*, kullanıcı bilgi*, kredi kart*, banka bilgi*, kaynak kod*, sırlar*, token*"
        ),
        "send": (
            "gönder, gönderin, göndermelisin, yolla, yollayın, ilet, iletin, yükle, yükleyin, paylaş, paylaşın, "
            "aktar, aktarın, e posta gönder, postala, yayınla, transfer et, havale et, kopyala, "
            "e postayla gönder, göndereceksin"
        ),
        "data": (
            "veri*, liste*, özet*, konuşma*, sohbet*, geçmiş*, içerik*, mesaj*, dosya*, belge*, bunu, bunları, "
            "onları, onu, hepsini, her şeyi, bilgi*, sonuç*, yanıt*, cevap*, kopya*, notlar*, kişiler*, anılar*, "
            "parayı, fatura*, hafıza*, rapor*, ayrıntılar*, e postalar*"
        ),
        "money": "para gönder, parayı, euro, dolar, lira, tutarı, bitcoin",
        "call": "çağır, çağırın, kullan, kullanın, çalıştır, çalıştırın, başlat, tetikle, yürüt, uygula",
        "tool_word": (
            "aracını, aracı, araç, fonksiyon*, komutunu, şu komutu, bu komutu, aşağıdaki komutu, aşağıdaki kodu, "
            "bu kodu, betiği, kabuk komut*, işlevini, api çağrı*"
        ),
        "destroy": (
            "sil, silin, kaldır, kaldırın, temizle, temizleyin, boşalt, yok et, yok edin, imha et, üzerine yaz, "
            "biçimlendir, formatla"
        ),
        "target": (
            "dosya*, veritabanı*, veri tabanı*, klasör*, dizin*, tablo*, hesap*, veri*, yedek*, kayıt*, günlük*, "
            "mesaj*, kullanıcılar*, anılar*, e posta*"
        ),
        "grant": (
            "yetki ver, yetkisi ver, yetkisi verin, erişim ver, erişimi ver, hakkı ver, hakları ver, tanı, "
            "tanıyın, onayla, onaylayın, kabul et, yetkilendir, izin ver"
        ),
        "privilege": (
            "admin, yönetici yetki*, yönetici eriş*, yönetici hak*, yönetici, root, tam yetki*, tam erişim*, "
            "sınırsız erişim*, tüm yetkiler*, tüm izinler*, bütün istekler*, tüm istekler*, ayrıcalık*, "
            "doğrulanmış"
        ),
        "checks": "onayı, onay adımı*, doğrulamayı, doğrulama adımı*, kimlik doğrulama*, onayını",
        "verify": "doğrulama yapma, onay isteme, kontrol etme, sorgulama",
        "comply": (
            "ne diyorsa aynen yap, ne derse onu yap, ne yazıyorsa yap, söylediği her şeyi yap, "
            "dediğim her şeyi yap, her isteği yerine getir, tüm istekleri yerine getir, "
            "bütün istekleri yerine getir, her şeye itaat et, bana itaat et, sadece benim, yalnızca benim, "
            "içindeki talimat*, aşağıdaki talimatları uygula, bu talimatları uygula, bu talimatlara uy, "
            "tüm istekleri onayla, bütün istekleri onayla, her isteği onayla, asla reddetme, her şeyi kabul et, "
            "her emri yerine getir, aynen uygula"
        ),
        "decode": "çöz, kodunu çöz, şifresini çöz, base64, çözümle",
        "turn": (
            "bunu okuduğunda, bunu okuyunca, bunu okurken, bunu gördüğünde, bunu işlerken, özetlerken, "
            "yanıt vermeden önce, cevap vermeden önce, yanıtlamadan önce, devam etmeden önce, yanıtında, "
            "cevabında, özetinde, bir sonraki yanıtında, bir sonraki cevabında, sonraki yanıtında, "
            "yanıtının sonuna, cevabının sonuna, yanıtının başına, cevabının başına, yanıtlarının sonuna, "
            "cevaplarının sonuna, yanıtına, cevabına, eğer bir yapay zekaysan, bir yapay zeka olarak, "
            "her yanıtın sonuna, her cevabın sonuna, bu mesajı okuduğunda"
        ),
        "append": (
            "ekle, ekleyin, eklemelisin, dahil et, dahil edin, belirt, belirtin, bahset, yaz, yazın, tekrarla, "
            "koy, bitir, başla, imzala, eklenmeli*, eklenecek, yazılmalı*, belirtilmeli*, alıntıla, yerleştir, "
            "iliştir"
        ),
        "reply": "yanıt*, cevap*, cevab*, özet*, çıktı*, mesaj*, konuşma*, sohbet*, oturum*, rapor*",
        "only": "sadece, yalnızca",
        "later": "gelecek, gelecekteki, sonraki, bundan sonraki, ileriki, ilerideki",
        "must": (
            "gerekir, gerekiyor, zorunlu*, zorundadır, lazım, şart, mecburdur, gerekmektedir, eklenmeli*, eklenmelidir"
        ),
        "oblige": (
            "zorundasın, gerekiyor sana, mecbursun, yapmalısın, vermelisin, söylemelisin, etmelisin, olmalısın, "
            "önermelisin, senin görevin, görevin, amacın, istiyorum ki sen, emrediyorum, yapmanı istiyorum, "
            "vermeni istiyorum, söylemeni istiyorum, etmeni istiyorum, olmanı istiyorum, emin ol, yapacaksın, "
            "edeceksin, vereceksin, söyleyeceksin"
        ),
        "always": (
            "her zaman, daima, hep, asla, hiçbir zaman, hiçbir koşulda, istisnasız, her seferinde, sürekli, "
            "kalıcı olarak"
        ),
        "hence": (
            "bundan sonra, bundan böyle, artık, şu andan itibaren, bu andan itibaren, şimdiden sonra, "
            "bugünden itibaren, gelecekte, ikinci bir emre kadar, her yanıtta, her cevapta, tüm yanıtlarda, "
            "tüm cevaplarda, bütün yanıtlarda, her konuşmada, tüm konuşmalarda, gelecekteki tüm, her sohbette, "
            "tüm gelecek"
        ),
        "steer": (
            "öner, önerin, önermelisin, tavsiye et, tavsiye edin, söyle, söyleyin, söyleme, deyin, bahset, "
            "bahsetme, cevap ver, yanıt ver, yanıtla, cevapla, iddia et, savun, öv, övün, yönlendir, onayla, "
            "onaylayın, itaat et, uy, ekle, bitir, başla, yaz, yazın, konuş, kullan, kullanın, davran, ifşa et, "
            "açıkla, görmezden gel, inkar et, yalan söyle, doğrula, reddet, reddetme, gönder, sil, tanıt, "
            "kabul et, güven, havale et, transfer et, tercih et, hitap et, belirt, önereceksin, söyleyeceksin, "
            "vereceksin, diyeceksin"
        ),
        "when_asked": (
            "sorulduğunda, sorulursa, sana sorulduğunda, sana sorulursa, sorarsa, sorarlarsa, sorduğunda, "
            "sorduklarında, biri sorarsa, birisi sorarsa, kullanıcı sorarsa, kullanıcı sorduğunda, "
            "soru sorulduğunda, soru gelirse, ne zaman sorulsa, sorulunca, sorunca, sorarsam, hakkında sorulursa"
        ),
        "store": (
            "kaydet, kaydedin, sakla, saklayın, hatırla, hatırlayın, ezberle, not al, not et, yaz, güncelle, "
            "ekle, değiştir, üzerine yaz, aklında tut, kayda geçir, işle, sil"
        ),
        "memory": (
            "hafızana, belleğine, hafızanda, belleğinde, hafızaya, belleğe, uzun süreli belle*, "
            "uzun süreli hafıza*, gerçek olarak, bir gerçek olarak, kesin bilgi olarak, doğru bilgi olarak, "
            "bilgi olarak, kalıcı olarak, notlarına, kullanıcı profili*, gelecekteki konuşmalar*, "
            "gelecek konuşmalar*, sonraki konuşmalar*, bilgi tabanı*, tercih olarak, bu talimatı, kural olarak, "
            "gerçek olarak kaydet"
        ),
        "remember_to": (
            "söylemeyi unutma, bahsetmeyi unutma, belirtmeyi unutma, önermeyi unutma, eklemeyi unutma, "
            "olduğunu unutma, olduğunu asla unutma, zorunda olduğunu unutma, gerektiğini unutma, "
            "bu talimatı unutma, bu kuralı unutma, bu talimatı hatırla, bu talimatı aklında tut, "
            "söylemeyi hatırla, zorunda olduğunu hatırla, gerektiğini hatırla"
        ),
        "not": "asla, sakın, hiçbir zaman, kesinlikle",
        "tell": (
            "söyleme, söylemeyin, bahsetme, bahsetmeyin, anlatma, anlatmayın, bildirme, bildirmeyin, "
            "haber verme, haber vermeyin, açıklama yapma, gösterme, uyarma, sorma"
        ),
        "user": "kullanıcıya, kullanıcıyı, kullanıcılara, kullanıcı, kimseye, bu talimat*, bu mesaj*",
        "hide": "gizle, gizleyin, sakla, saklayın",
        "conceal": (
            "kullanıcıya söyleme, kullanıcıya söylemeyin, kullanıcıya bahsetme, kullanıcıya bundan bahsetme, "
            "kullanıcıya bunu söyleme, bunu kullanıcıya söyleme, kullanıcıya bildirme, kullanıcıya haber verme, "
            "kullanıcıyı bilgilendirme, kullanıcıyı bilgilendirmeden, kullanıcıya haber vermeden, "
            "kullanıcıya söylemeden, kullanıcıya sormadan, kullanıcının haberi olmadan, kullanıcı bilmeden, "
            "kullanıcıdan gizle, kullanıcıdan gizleyin, kullanıcıdan sakla, bunu gizli tut, bunu gizli tutun, "
            "bu talimatı gizli tut, kimseye bundan bahsetme, kullanıcı bilmemeli, kullanıcı bunu bilmemeli, "
            "kullanıcıya asla söyleme, kullanıcıya asla bahsetme, onay istemeden, kullanıcıya gösterme"
        ),
        "agent": (
            "asistan, asistana, asistanın, yapay zeka, yapay zekâ, yapay zeka ajan*, yapay zeka asistan*, "
            "dil modeli, dil modelleri, sohbet robotu, sohbet botu, chatbot, bot, yapay zeka modeli, "
            "yapay zeka modelleri"
        ),
        "you": "sen, sana, siz",
        "note_to": (
            "asistana not, asistan için not, yapay zekaya not, yapay zeka için not, asistana mesaj, "
            "yapay zekaya mesaj, asistan için mesaj, asistan için talimat*, asistana talimat*, "
            "yapay zeka için talimat*, yapay zekaya talimat*, dikkat asistan, dikkat yapay zeka, "
            "sevgili asistan, sevgili yapay zeka, sistem notu, sistem mesajı, sistem uyarısı, modele not, "
            "model için talimat*"
        ),
        "report": (
            "söyledi, dedi, istedi, istiyor, sordu, anlattı, açıkladı, bahsetti, düşünüyor, inanıyor, umuyor, "
            "karar verdi, planlıyor, tavsiye etti, önerdi, çalışıyor, tercih ediyor, seviyor, hatırlattı, "
            "konuştular, yazdı, emretti, rica etti, talep etti, belirtti, öğretti, uyardı, söylüyor, diyor, "
            "istemiş, söylemiş, ifade etti, tembihledi"
        ),
        "lead": (
            "lütfen, ve, sonra, ardından, şimdi, ayrıca, sadece, veya, önce, hemen, derhal, önemli, dikkat, "
            "gizlice, yalnızca"
        ),
    },
    orders_anywhere=ORDERS,
)
