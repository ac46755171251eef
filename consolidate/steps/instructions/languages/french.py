"""French words of an instruction."""

from consolidate.steps.instructions.lexicon import Language

FRENCH = Language(
    "French",
    {
        "ignore": (
            "ignore, ignorez, ignorer, ignorons, oublie, oubliez, oublier, contourne, contournez, contourner, "
            "néglige, négligez, négliger, outrepasse, outrepassez, outrepasser, passe outre, passez outre, "
            "ne tiens pas compte, ne tenez pas compte, ne tiens plus compte, ne tenez plus compte, "
            "fais abstraction, faites abstraction, désobéis, désobéissez, écarte, écartez, laisse de côté, "
            "laissez de côté, désactive, désactivez, désactiver, annule, annulez, annuler, supprime, remplace, "
            "remplacez, ne suis pas, ne suivez pas, ne suis plus, ne suivez plus, ne respecte pas, "
            "ne respecte plus, ne respectez plus, abandonne, abandonnez, efface, effacez, cesse de suivre, "
            "arrête de suivre, sans tenir compte, transgresse"
        ),
        "rules": (
            "instruction*, règle, règles, consigne, consignes, directive, directives, ordres, prompt*, "
            "politique, politiques, restriction, restrictions, limites, limite, limitation*, contrainte, "
            "contraintes, filtre, filtres, protocole*, garde fou, garde fous, lignes directrices, invite, "
            "vérifications, confirmation, confirmations, recommandations, indications"
        ),
        "system_rules": (
            "prompt système, prompts système, invite système, message système, messages système, "
            "instructions système, instructions du système, règles de sécurité, consignes de sécurité, "
            "directives de sécurité, règles du système, consignes système, protocoles de sécurité, "
            "mesures de sécurité, filtres de sécurité, politique de contenu, politiques de contenu, "
            "politique d'utilisation, filtre de contenu, filtres de contenu, lignes directrices, "
            "directives éthiques, règles éthiques, instructions initiales, instructions d'origine, "
            "instructions du développeur, instructions cachées, prompt initial, prompt caché, "
            "restrictions habituelles, règles habituelles, contrôles de sécurité, vérifications de sécurité, "
            "ta programmation, votre programmation, restrictions de sécurité"
        ),
        "prior": (
            "précédent, précédente, précédents, précédentes, antérieur, antérieure, antérieurs, antérieures, "
            "ci dessus, dessus, plus haut, préalable, préalables, avant, initiale, initiales, originale, "
            "originales, existante, existantes, reçues, données jusqu'ici, jusqu'ici, jusqu'à présent, système, "
            "données, passées, premières, d'origine"
        ),
        "own": "ton, ta, tes, votre, vos",
        "all": "tout, toute, tous, toutes, chaque, n'importe quelle, aucune, quelconque",
        "everything": "tout ce, tout, ce qui",
        "told": (
            "qu'on t'a dit, qu'on vous a dit, on t'a dit, on vous a dit, tu as appris, vous avez appris, "
            "tu sais, vous savez, nous avons dit, nous avons discuté, j'ai dit, a été dit, t'a été dit, "
            "vous a été dit, nous avons parlé, qui précède, précède, on s'est dit, tu connais"
        ),
        "context": (
            "tout ce qui précède, ce qui précède, tout ce qui est au dessus, le texte ci dessus, "
            "texte précédent, tout le contexte, contexte précédent, la conversation précédente, "
            "messages précédents, la conversation jusqu'ici, les mots ci dessus, tout le contenu précédent, "
            "le message ci dessus"
        ),
        "new_rules": (
            "nouvelle instruction, nouvelles instructions, nouvelle consigne, nouvelles consignes, "
            "nouvelle directive, nouvelles directives, nouvelle règle, nouvelles règles, nouvelle tâche, "
            "nouvelle mission, vraie tâche, véritable tâche, vraie mission, véritable mission, nouvel objectif, "
            "nouvel ordre, nouveaux ordres, nouveau rôle, nouveau prompt, instruction importante, "
            "instructions importantes, instruction urgente, instructions urgentes, instructions supplémentaires, "
            "seule tâche, véritable objectif, vrai objectif, instructions mises à jour, seule mission"
        ),
        "supersede": (
            "remplace, remplacent, prévaut sur, prévalent sur, prime sur, priment sur, l'emporte sur, annule, "
            "annulent, a priorité sur, ont priorité sur"
        ),
        "off": (
            "désactivé, désactivés, désactivée, désactivées, levée, levées, suspendu, suspendus, suspendues, "
            "annulées, ne s'appliquent pas, ne s'applique pas, ne s'appliquent plus, ne s'applique plus, "
            "ne valent pas, ne sont plus valables, ne sont pas valables, ne sont plus en vigueur, "
            "pas applicables, non applicables, n'étaient pas destinées, n'étaient pas prévues, "
            "ne concernent pas, exempté, exemptée, abolies, caduques, obsolètes, ne te concernent plus, "
            "ne sont pas prévues"
        ),
        "become": (
            "tu es maintenant, tu es désormais, tu n'es plus, tu es, vous êtes maintenant, vous êtes désormais, "
            "vous n'êtes plus, vous êtes, fais semblant, faites semblant, fais comme si, faites comme si, "
            "imagine, imaginez, agis comme, agissez comme, agis en tant, agissez en tant, comporte toi, "
            "comportez vous, joue, jouez, réponds comme, répondez comme, simule, simulez, incarne, incarnez, "
            "passe en mode, passez en mode, active, activez, entre en mode, prends le rôle, deviens, mets toi"
        ),
        "unbound": (
            "sans restriction, sans restrictions, sans limite, sans limites, sans filtre, sans filtres, "
            "sans règle, sans règles, sans censure, sans aucune restriction, sans aucune limite, "
            "sans aucun filtre, sans aucune règle, non censuré, non censurée, non filtré, non filtrée, "
            "aucune règle, aucune restriction, aucune limite, aucun filtre, pas de règles, plus de règles, "
            "plus aucune règle, plus aucune restriction, plus aucune limite, plus de restrictions, "
            "plus de limites, plus de filtre, pas de restrictions, pas de limites, illimité*, mode développeur, "
            "mode administrateur, mode debug, mode dieu, mode maintenance, sans éthique, sans morale, libéré de, "
            "libre de toute, sans contrainte, sans contraintes, sans consignes, débridé*"
        ),
        "lacking": (
            "ne pas avoir, n'avais, n'avoir, n'aies, sans, aucun, aucune, pas de, plus de, plus aucune, "
            "libre de, affranchi"
        ),
        "jailbreak": (
            "mode développeur activé, tu es dan, tu es maintenant dan, tu es désormais dan, vous êtes dan, "
            "mode sans restriction"
        ),
        "alter": "dan",
        "respond": (
            "réponds, répondez, répondre, obéis, obéissez, obéir, procède, procédez, génère, générez, générer, "
            "continue, poursuis, fournis, fournissez, fournir, se conformer, conforme toi, conformez vous, "
            "coopère"
        ),
        "reborn": (
            "tu es maintenant, tu es désormais, tu n'es plus, vous êtes maintenant, vous êtes désormais, "
            "vous n'êtes plus, tu t'appelles désormais, tu t'appelles maintenant"
        ),
        "reveal": (
            "révèle, révélez, révéler, montre, montrez, montrer, affiche, affichez, afficher, donne, donnez, "
            "donner, dévoile, dévoilez, dévoiler, divulgue, divulguez, divulguer, répète, répétez, répéter, "
            "imprime, imprimez, liste, listez, dis moi, dites moi, quelles sont, quel est, quelle est, "
            "quels sont, partage, partagez, copie, copiez, communique, communiquez, cite, citez, récite, "
            "récitez, traduis, résume, résumez, écris, écrivez, envoie moi, fournis, fournissez, publie, expose, "
            "retourne, transmets"
        ),
        "secret": (
            "prompt système, prompts système, invite système, message système, instructions système, "
            "instructions du système, ton prompt, votre prompt, tes instructions, vos instructions, "
            "tes consignes, vos consignes, tes règles, vos règles, tes directives, vos directives, "
            "instructions cachées, instructions secrètes, instructions internes, instructions initiales, "
            "prompt initial, prompt caché, ta configuration, votre configuration, consignes internes, "
            "consignes secrètes, prompt de système, tes secrets, vos secrets, prompt du système, "
            "ton message système, tes paramètres"
        ),
        "leak": "fais fuiter, exfiltre, exfiltrez, exfiltrer, vole, divulgue, divulguez",
        "private": (
            "clé api, clés api, clés d'api, clé d'api, identifiants, mot de passe, mots de passe, "
            "données clients, données des clients, données client, liste des clients, liste de clients, "
            "liste clients, base de données, données internes, données confidentielles, données personnelles, "
            "données privées, données sensibles, données utilisateur, données des utilisateurs, "
            "informations confidentielles, informations personnelles, informations privées, "
            "informations sensibles, carte de crédit, cartes de crédit, cartes bancaires, coordonnées bancaires, "
            "secrets, jetons, jeton d'accès, code source, fichier client, confidentiel*"
        ),
        "send": (
            "envoie, envoyez, envoyer, transmets, transmettez, transmettre, transfère, transférez, transférer, "
            "expédie, expédiez, poste, postez, publie, publiez, téléverse, téléversez, téléverser, partage, "
            "partagez, copie, copiez, communique, soumets, vire, virez, achemine, exporte, exportez, "
            "fais suivre, faites suivre, fais parvenir, mets en copie"
        ),
        "data": (
            "données, liste, résumé, conversation*, historique, contenu, messages, message, fichier, fichiers, "
            "document*, les, la, le, tout, informations, résultat*, réponse*, copie, notes, contacts, souvenirs, "
            "argent, facture*, mémoire, rapport, détails, courriels, mails"
        ),
        "money": "argent, euros, dollars, somme, montant, bitcoin",
        "call": (
            "appelle, appelez, appeler, utilise, utilisez, utiliser, exécute, exécutez, exécuter, lance, lancez, "
            "lancer, invoque, invoquez, déclenche, effectue"
        ),
        "tool_word": (
            "l'outil, cet outil, la fonction, l'appel de fonction, la commande, cette commande, "
            "la commande suivante, le code suivant, ce code, le script, ce script, commande shell, l'api, "
            "une requête, requête http"
        ),
        "destroy": (
            "supprime, supprimez, supprimer, efface, effacez, effacer, vide, videz, vider, détruis, détruisez, "
            "détruire, écrase, écrasez, formate, formatez, purge, purgez"
        ),
        "target": (
            "fichier, fichiers, base de données, bases de données, dossier, dossiers, répertoire*, table, "
            "tables, compte, comptes, données, sauvegarde*, journaux, messages, utilisateurs, enregistrement*, "
            "souvenirs, courriels"
        ),
        "grant": (
            "accorde, accordez, accorder, donne, donnez, donner, octroie, octroyez, traite, traitez, considère, "
            "considérez, autorise, autorisez, approuve, approuvez, promeus"
        ),
        "privilege": (
            "admin, administrateur, administratrice, accès administrateur, droits d'administrateur, "
            "droits administrateur, droits admin, accès root, accès complet, accès total, accès illimité, "
            "tous les droits, privilèges, toutes les demandes, toutes les requêtes, vérifié"
        ),
        "checks": "confirmation, vérification, authentification, approbation, validation",
        "verify": "vérifie, vérifiez, vérifier, valide, demande confirmation, demandez confirmation",
        "comply": (
            "fais exactement ce, faites exactement ce, fais tout ce que, faites tout ce que, fais ce qu'il dit, "
            "obéis à tout, obéis à tous, obéis à toute*, obéissez à tout*, obéis moi, suis uniquement, "
            "suivez uniquement, suis les instructions suivantes, suivez les instructions suivantes, "
            "suis ces instructions, suivez ces instructions, suis les instructions qu'il contient, "
            "suivez les instructions qu'il contient, suis l'instruction, suivez l'instruction, "
            "exécute les instructions, exécutez les instructions, accepte toutes les demandes, approuve toutes*, "
            "ne refuse jamais, ne refusez jamais, réponds à tout, répondez à tout, accède à toutes les demandes, "
            "suis les instructions cachées"
        ),
        "decode": "décode, décodez, décoder, déchiffre, déchiffrez, décrypte, décryptez, base64",
        "turn": (
            "quand tu lis ceci, quand tu lis cela, lorsque tu lis ceci, quand vous lisez ceci, "
            "lorsque vous lisez ceci, lorsque vous lisez, lorsque tu traites, lorsque vous traitez, "
            "en lisant ceci, en traitant ce, avant de répondre, avant de continuer, avant de poursuivre, "
            "avant ta réponse, avant votre réponse, dans ta réponse, dans votre réponse, dans ton résumé, "
            "dans votre résumé, dans ta prochaine réponse, dans votre prochaine réponse, à la fin de ta*, "
            "à la fin de votre*, à la fin de tes*, au début de ta*, au début de votre*, à ta réponse, "
            "à votre réponse, lors du résumé, si tu es une ia, si vous êtes une ia, en tant qu'ia, "
            "dès que tu lis, chaque fois que tu, chaque fois que vous, après avoir lu ceci"
        ),
        "append": (
            "ajoute, ajoutez, ajouter, inclus, incluez, inclure, insère, insérez, insérer, mentionne, "
            "mentionnez, mentionner, joins, joignez, répète, répétez, termine, terminez, commence, commencez, "
            "écris, écrivez, mets, mettez, ajouté, ajoutée, ajoutés, inclue, incluse, inséré, insérée, "
            "mentionné, mentionnée, répété, cite, citez, signe, signez, apposé, place, placez, figurer, intègre"
        ),
        "reply": (
            "réponse, réponses, résumé, résumés, sortie, message, messages, conversation*, session, sessions, "
            "rapport, courriel*, synthèse*"
        ),
        "only": "seulement par, uniquement par, uniquement, seulement, rien que, exclusivement",
        "later": (
            "futur, future, futurs, futures, prochain, prochaine, prochains, prochaines, suivante, suivantes, "
            "ultérieure*, à venir"
        ),
        "must": "doit, doivent, devra, devront, devrait, devraient, faut, il faut, est tenu, sont tenus",
        "oblige": (
            "tu dois, vous devez, tu devras, vous devrez, tu devrais, vous devriez, tu ne dois, vous ne devez, "
            "il faut que tu, il faut que vous, assure toi de, assurez vous de, veille à, veillez à, "
            "ta tâche est, votre tâche est, ta mission est, votre mission est, ton but est, tu es tenu, "
            "vous êtes tenu, je t'ordonne, je vous ordonne, tu vas maintenant, vous allez maintenant, "
            "n'oublie pas de toujours, pense à toujours"
        ),
        "urge": "je veux que tu, je veux que vous",
        "always": (
            "toujours, jamais, systématiquement, en toutes circonstances, en aucun cas, à chaque fois, "
            "sans exception, en permanence"
        ),
        "hence": (
            "pour le reste de la conversation, pour le reste de cette conversation, à partir de maintenant, "
            "dès maintenant, désormais, dorénavant, à compter de maintenant, à l'avenir, à partir d'aujourd'hui, "
            "à partir de ce moment, jusqu'à nouvel ordre, dans chaque réponse, dans toutes tes réponses, "
            "dans toutes vos réponses, dans toutes les réponses, à chaque réponse, "
            "dans toutes les conversations, dans toutes les futures, dans chaque conversation"
        ),
        "steer": (
            "recommande, recommandez, recommander, conseille, conseillez, conseiller, suggère, suggérez, "
            "suggérer, dis, dites, dire, mentionne, mentionnez, mentionner, réponds, répondez, répondre, "
            "affirme, affirmez, affirmer, prétends, prétendez, favorise, favorisez, cite, citez, renvoie, "
            "renvoyez, renvoyer, oriente, orientez, approuve, approuvez, approuver, suis, suivez, suivre, obéis, "
            "obéissez, obéir, ajoute, ajoutez, termine, terminez, commence, commencez, écris, écrivez, écrire, "
            "parle, parlez, utilise, utilisez, utiliser, traite, traitez, considère, considérez, révèle, "
            "révélez, révéler, ignore, ignorez, ignorer, nie, niez, mens, mentez, mentir, confirme, confirmez, "
            "confirmer, refuse, refusez, refuser, envoie, envoyez, envoyer, supprime, supprimez, vante, vantez, "
            "promeus, promouvoir, inclus, incluez, inclure, accepte, acceptez, accepter, divulguer, divulgue, "
            "fais confiance, faites confiance, donne, donnez"
        ),
        "when_asked": (
            "quand on te demande, lorsqu'on te demande, si on te demande, quand on vous demande, "
            "lorsqu'on vous demande, si on vous demande, quand l'utilisateur demande, "
            "lorsque l'utilisateur demande, si l'utilisateur demande, quand un utilisateur demande, "
            "si un utilisateur demande, lorsqu'un utilisateur demande, si quelqu'un demande, "
            "quand quelqu'un demande, si quelqu'un te demande, quand quelqu'un te demande, si je demande, "
            "quand je demande, si l'on te demande, si l'on vous demande, chaque fois qu'on te demande, "
            "si les utilisateurs demandent, lorsque les utilisateurs demandent, à la question, interrogé sur, "
            "si l'utilisateur te demande, quand l'utilisateur te demande"
        ),
        "store": (
            "enregistre, enregistrez, enregistrer, sauvegarde, sauvegardez, sauvegarder, mémorise, mémorisez, "
            "mémoriser, stocke, stockez, stocker, note, notez, retiens, retenez, retenir, garde, gardez, "
            "inscris, inscrivez, consigne, consignez, souviens, souvenez, ajoute, ajoutez, mets à jour, "
            "mettez à jour, modifie, modifiez, conserve, conservez, efface, effacez"
        ),
        "memory": (
            "ta mémoire, votre mémoire, mémoire à long terme, la mémoire, en mémoire, comme un fait, comme fait, "
            "comme un fait avéré, comme fait avéré, comme une vérité, de façon permanente, "
            "de manière permanente, définitivement, dans tes notes, dans vos notes, tes souvenirs, "
            "vos souvenirs, profil utilisateur, profil de l'utilisateur, pour les futures*, "
            "pour toutes les futures*, pour les prochaines*, base de connaissances, comme préférence, "
            "cette instruction, cette consigne, comme une règle"
        ),
        "remember_to": (
            "souviens toi de dire, souviens toi de toujours, souviens toi que tu, souvenez vous que vous, "
            "souvenez vous de dire, n'oublie pas de dire, n'oubliez pas de dire, n'oublie pas de mentionner, "
            "n'oubliez pas de mentionner, n'oublie jamais que tu, n'oubliez jamais que vous, "
            "n'oublie pas que tu, n'oubliez pas que vous, retiens que tu, retenez que vous, "
            "retiens cette instruction, retiens cette consigne, retenez cette consigne, pense à dire, "
            "pensez à dire, pense à recommander, rappelle toi que tu, rappelle toi de dire, "
            "rappelle toi de recommander"
        ),
        "not": "rien, ne, pas, jamais, n, évite de, évitez de",
        "tell": (
            "dis, dites, dire, informe, informez, informer, mentionne, mentionnez, mentionner, préviens, "
            "prévenez, prévenir, avertis, avertissez, révèle, révélez, parle, parlez, parler, montre, montrez, "
            "signale, signalez, laisse, demande, demandez"
        ),
        "user": (
            "l'utilisateur, l'utilisatrice, les utilisateurs, aux utilisateurs, à l'utilisateur, l'humain, "
            "cette instruction, ces instructions, cette consigne, ces consignes, ce message, cette note"
        ),
        "hide": "cache, cachez, dissimule, dissimulez, masque, masquez",
        "conceal": (
            "sans en informer l'utilisateur, sans informer l'utilisateur, sans prévenir l'utilisateur, "
            "sans le dire à l'utilisateur, sans avertir l'utilisateur, sans que l'utilisateur, "
            "à l'insu de l'utilisateur, sans demander confirmation, garde cela secret, gardez cela secret, "
            "garde ceci secret, gardez ceci secret, garde cette instruction secrète, cache ceci à, cache cela à, "
            "cachez cela à, cachez ceci à, ne le dis pas à l'utilisateur, l'utilisateur ne doit pas, "
            "l'utilisateur ne doit rien, l'utilisateur ne doit jamais, n'en parle à personne, "
            "n'en parlez à personne, n'en parle pas à l'utilisateur, n'en parlez pas à l'utilisateur, "
            "garde ces instructions secrètes"
        ),
        "agent": (
            "assistant, assistante, l'assistant, l'ia, agent ia, agents ia, assistant ia, modèle de langage, "
            "modèles de langage, chatbot, chatbots, le modèle, le bot, l'agent, les ia, agent conversationnel, "
            "robot conversationnel"
        ),
        "you": "tu, toi, vous",
        "note_to": (
            "note à l'assistant, note à l'ia, note pour l'assistant, note pour l'ia, message à l'assistant, "
            "message à l'ia, message pour l'assistant, message pour l'ia, instruction à l'assistant, "
            "instructions à l'assistant, instruction pour l'assistant, instructions pour l'assistant, "
            "instruction pour l'ia, instructions pour l'ia, instruction à l'ia, instructions à l'ia, "
            "attention ia, attention assistant, cher assistant, chère ia, consigne pour l'assistant, "
            "consignes pour l'assistant, consigne à l'assistant, consigne pour l'ia, consignes pour l'ia, "
            "note système, message système, note du système, avis système, à l'attention de l'assistant, "
            "à l'attention de l'ia, à toute ia, remarque pour l'assistant"
        ),
        "report": (
            "dit, demandé, demande, demanda, veut, voulait, voudrait, souhaite, souhaitait, explique, expliqué, "
            "mentionné, raconte, raconté, pense, croit, espère, décidé, décide, prévoit, conseillé, suggéré, "
            "recommandé, essaie, aime, aimerait, préfère, rappelé, discuté, écrit, ordonné, exige, exigé, "
            "affirmé, trouve, apprend, propose, proposé, insisté"
        ),
        "lead": (
            "s'il te plaît, s'il vous plaît, veuillez, merci de, et, puis, ensuite, maintenant, aussi, "
            "simplement, ou, alors, d'abord, immédiatement, également, important, attention, en secret, "
            "discrètement, seulement, prière de, stop"
        ),
    },
)
